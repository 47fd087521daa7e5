package skill

// Size counts the skills remembered over all conversations.
func (c *Cache) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire()
	return len(c.entries)
}
