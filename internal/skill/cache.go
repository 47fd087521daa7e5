package skill

import (
	"sync"
	"time"
)

const (
	// cacheLife is how long a conversation is taken to remember a skill.
	cacheLife = time.Hour
	// maxCached bounds the memory held, at most twice MaxSize for each.
	maxCached = 128
)

// Cache remembers which skills each conversation has loaded, and their text. It
// never answers with text that is no longer what the file says. It is safe for
// concurrent use.
type Cache struct {
	registry *Registry
	now      func() time.Time

	mu   sync.Mutex
	held map[cacheKey]*cached
}

type cacheKey struct{ conversation, skill string }

type cached struct {
	content Content
	loaded  time.Time
	used    time.Time
	again   bool // is given whole the next time
}

// Loaded is a skill as a conversation gets it. Already and Changed are never
// both set.
type Loaded struct {
	Content
	// Already says that the conversation has had this very text within the hour,
	// so that repeating it would only cost room.
	Already bool
	// Changed says that the conversation has had another text under this name.
	Changed bool
}

// NewCache remembers what is loaded from r. now is the clock.
func NewCache(r *Registry, now func() time.Time) *Cache {
	return &Cache{registry: r, now: now, held: map[cacheKey]*cached{}}
}

// Load reads a skill for a conversation, as Registry.Load does and with its
// errors. Of several simultaneous first loads one is the first.
func (c *Cache) Load(conversation, name string) (Loaded, error) {
	e, ok := c.registry.current.Load().lookup(name)
	if !ok {
		c.Invalidate(name)
		return Loaded{}, &NotFoundError{Name: name}
	}
	key := cacheKey{conversation, e.skill.Name}
	if content, ok := c.get(key); ok && e.still(content) {
		return Loaded{Content: content, Already: true}, nil
	}
	content, err := c.registry.Load(name)
	if err != nil {
		// What the conversation holds can no longer be vouched for.
		c.Invalidate(e.skill.Name)
		return Loaded{}, err
	}
	return c.put(key, content), nil
}

// still reports that the file says what content does. The bytes are compared:
// size and time of change can both stay while the text does not, and the
// expensive part, the parsing, is saved all the same.
func (e *entry) still(content Content) bool {
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
	held, ok := c.held[key]
	if !ok || held.again {
		return Content{}, false
	}
	held.used = c.now()
	return held.content, true
}

func (c *Cache) put(key cacheKey, content Content) Loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	loaded := Loaded{Content: content}
	if was, ok := c.held[key]; ok {
		same := was.content.Text == content.Text && was.content.Skill.Path == content.Skill.Path
		loaded.Already, loaded.Changed = same && !was.again, !same
	} else if len(c.held) >= maxCached {
		c.dropStalest()
	}
	if !loaded.Already {
		now := c.now()
		c.held[key] = &cached{content: content, loaded: now, used: now}
	}
	return loaded
}

func (c *Cache) expire() {
	now := c.now()
	for key, held := range c.held {
		if now.Sub(held.loaded) > cacheLife {
			delete(c.held, key)
		}
	}
}

func (c *Cache) dropStalest() {
	var stalest cacheKey
	var at *cached
	for key, held := range c.held {
		if at == nil || held.used.Before(at.used) {
			stalest, at = key, held
		}
	}
	delete(c.held, stalest)
}

// Invalidate forgets a skill in every conversation, as is due when it was
// changed or deleted here.
func (c *Cache) Invalidate(name string) {
	name = CanonicalName(name)
	if e, ok := c.registry.current.Load().lookup(name); ok {
		name = e.skill.Name
	}
	c.drop(func(key cacheKey) bool { return key.skill == name })
}

// Clear forgets what one conversation has loaded, as is due when it is deleted.
func (c *Cache) Clear(conversation string) {
	c.drop(func(key cacheKey) bool { return key.conversation == conversation })
}

// ClearAll has each skill come whole the next time, in every conversation. One that is
// another then is still Changed: the conversation has the older text.
func (c *Cache) ClearAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, held := range c.held {
		held.again = true
	}
}

// Partial says that a conversation was given no more than a part of what it loaded: the
// next time it comes whole.
func (c *Cache) Partial(conversation, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if held, ok := c.held[cacheKey{conversation, name}]; ok {
		held.again = true
	}
}

func (c *Cache) drop(which func(cacheKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.held {
		if which(key) {
			delete(c.held, key)
		}
	}
}
