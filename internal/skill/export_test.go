package skill

import "testing"

// LimitResourceEntries lowers the limit of entries in a skill's folder.
func LimitResourceEntries(t testing.TB, n int) {
	before := maxResourceEntries
	maxResourceEntries = n
	t.Cleanup(func() { maxResourceEntries = before })
}

// Size returns the number of skills remembered for all sessions.
func (c *Cache) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire()
	return len(c.entries)
}
