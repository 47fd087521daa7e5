package skill

import "testing"

// LimitResourceEntries lowers the most entries of a skill's folder for a test.
func LimitResourceEntries(t testing.TB, n int) {
	before := maxResourceEntries
	maxResourceEntries = n
	t.Cleanup(func() { maxResourceEntries = before })
}

// Size counts the skills remembered over all conversations.
func (c *Cache) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire()
	return len(c.entries)
}
