package skill

import (
	"sync"
	"time"
)

const (
	// cacheTTL is how long a session remembers a loaded skill.
	cacheTTL = time.Hour
	// maxCached limits memory: an entry takes at most twice MaxSize.
	maxCached = 128
)

// Cache remembers which skills each session has loaded, and their text. It never returns text that
// differs from the file. It is safe for concurrent use.
type Cache struct {
	registry *Registry
	now      func() time.Time

	mu       sync.Mutex
	entries  map[cacheKey]*cacheEntry
	restored map[cacheKey]string // versions in the text of a resumed session
}

type cacheKey struct{ conversation, skill string }

type cacheEntry struct {
	content Content
	loaded  time.Time
	used    time.Time
	reload  bool // return the whole text at the next load
}

// Loaded is a skill as returned to a session. AlreadyLoaded and Changed are never both set.
type Loaded struct {
	Content
	// AlreadyLoaded is set if the session got the same text within the last hour.
	AlreadyLoaded bool
	// Changed is set if the session got a different text under this name before.
	Changed bool
}

// NewCache returns a cache of the skills in r. now is the clock.
func NewCache(r *Registry, now func() time.Time) *Cache {
	return &Cache{registry: r, now: now, entries: map[cacheKey]*cacheEntry{}, restored: map[cacheKey]string{}}
}

// Load reads a skill for a session, as Registry.Load does and with its errors. If several calls
// load a skill at once, AlreadyLoaded is set for all but one.
func (c *Cache) Load(conversation, name string) (Loaded, error) {
	e, ok := c.registry.scanned().lookup(name)
	if !ok {
		c.Invalidate(name)
		return Loaded{}, &NotFoundError{Name: name}
	}
	key := cacheKey{conversation, e.skill.Name}
	if content, ok := c.get(key); ok && e.matches(content) {
		return Loaded{Content: content, AlreadyLoaded: true}, nil
	}
	content, err := c.registry.Load(name)
	if err != nil {
		// The session's text may be outdated.
		c.Invalidate(e.skill.Name)
		return Loaded{}, err
	}
	return c.put(key, content), nil
}

// Restore records that the text of a resumed session contains a whole skill in this version.
func (c *Cache) Restore(conversation, name, version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.restored[cacheKey{conversation, name}] = version
}

// matches reports whether the file still has the text of content. It compares the bytes, because a
// file can change without changing its size and time. It does not parse the file, which would be
// slow.
func (e *entry) matches(content Content) bool {
	if content.Skill.Path != e.skill.Path || content.Skill.Source != e.skill.Source {
		return false
	}
	text, err := readSkillFile(e.root.files(), e.file())
	return err == nil && string(text) == content.Text
}

func (c *Cache) get(key cacheKey) (Content, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expire()
	item, ok := c.entries[key]
	if !ok || item.reload {
		return Content{}, false
	}
	item.used = c.now()
	return item.content, true
}

func (c *Cache) put(key cacheKey, content Content) Loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	loaded := Loaded{Content: content}
	if previous, ok := c.entries[key]; ok {
		same := previous.content.Text == content.Text && previous.content.Skill.Path == content.Skill.Path
		loaded.AlreadyLoaded, loaded.Changed = same && !previous.reload, !same
	} else if version, ok := c.restored[key]; ok {
		same := version == content.Version()
		loaded.AlreadyLoaded, loaded.Changed = same, !same
		delete(c.restored, key)
		now := c.now()
		c.entries[key] = &cacheEntry{content: content, loaded: now, used: now}
	} else if len(c.entries) >= maxCached {
		c.evictOldest()
	}
	if !loaded.AlreadyLoaded {
		now := c.now()
		c.entries[key] = &cacheEntry{content: content, loaded: now, used: now}
	}
	return loaded
}

func (c *Cache) expire() {
	now := c.now()
	for key, item := range c.entries {
		if now.Sub(item.loaded) > cacheTTL {
			delete(c.entries, key)
		}
	}
}

func (c *Cache) evictOldest() {
	var oldestKey cacheKey
	var oldest *cacheEntry
	for key, item := range c.entries {
		if oldest == nil || item.used.Before(oldest.used) {
			oldestKey, oldest = key, item
		}
	}
	delete(c.entries, oldestKey)
}

// Invalidate forgets a skill in every session, because it was changed or deleted.
func (c *Cache) Invalidate(name string) {
	name = CanonicalName(name)
	if e, ok := c.registry.scanned().lookup(name); ok {
		name = e.skill.Name
	}
	c.removeWhere(func(key cacheKey) bool { return key.skill == name })
}

// Clear removes the record of a deleted session.
func (c *Cache) Clear(conversation string) {
	c.removeWhere(func(key cacheKey) bool { return key.conversation == conversation })
}

// ClearAll makes the next load of each skill return the whole text, in every session. Changed is
// still set if the text is then different.
func (c *Cache) ClearAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, item := range c.entries {
		item.reload = true
	}
	clear(c.restored)
}

// MarkPartial records that a session got only a part of a skill, so that the next load returns the
// whole text.
func (c *Cache) MarkPartial(conversation, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if item, ok := c.entries[cacheKey{conversation, name}]; ok {
		item.reload = true
	}
}

func (c *Cache) removeWhere(match func(cacheKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.entries {
		if match(key) {
			delete(c.entries, key)
		}
	}
	for key := range c.restored {
		if match(key) {
			delete(c.restored, key)
		}
	}
}
