package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/session"
)

// openSessions are the sessions that this program is the one to write.
type openSessions struct {
	locks session.Locks

	mu   sync.Mutex
	held map[string]func() // gives it back
}

func newOpenSessions(home string) *openSessions {
	return &openSessions{locks: session.NewLocks(filepath.Join(home, "cache", "locks")), held: map[string]func(){}}
}

// take opens a session for writing, or reports session.ErrHeld.
func (o *openSessions) take(ctx context.Context, id string) error {
	release, err := o.locks.Hold(ctx, id)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held[id] = release
	return nil
}

// keep gives back every session that keep is false of.
func (o *openSessions) keep(keep func(id string) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, release := range o.held {
		if !keep(id) {
			release()
			delete(o.held, id)
		}
	}
}

func (o *openSessions) letGo(id string) { o.keep(func(held string) bool { return held != id }) }

func (o *openSessions) close() error {
	o.keep(func(string) bool { return false })
	return nil
}

// has reports whether this program writes the session.
func (o *openSessions) has(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held[id] != nil
}

// begin opens a new conversation.
func (h *house) begin(ctx context.Context) *agent.Conversation {
	c := h.agent.Start()
	if err := h.open.take(ctx, c.ID()); err != nil {
		// Nobody else has its ID: without a lock it is less safe, not unusable.
		h.log.Warn().Err(err).Msg("locking a new session")
	}
	return c
}

// resume opens a session that is kept, for this program alone to write.
func (h *house) resume(ctx context.Context, id string) (*agent.Conversation, []session.Entry, error) {
	if err := h.open.take(ctx, id); err != nil {
		return nil, nil, err
	}
	// Loaded only now: nobody else adds to it from here on.
	c, entries, err := h.agent.Resume(ctx, id)
	if err != nil {
		h.open.letGo(id)
		return nil, nil, err
	}
	if c.Withheld() {
		note, _ := json.Marshal(agent.Display{Text: saidBefore}) // a text always encodes
		entries = append(entries, session.Entry{Kind: session.KindNote, Display: note})
	}
	return c, entries, nil
}

// saidBefore is told of a session that goes on with amounts hidden and began without.
const saidBefore = "share_amounts is off, and was on earlier in this session: what tools said of your book then is not sent to the model again. Earlier answers of this session may name amounts; a new session does not."

// hides reports whether a tool keeps the amounts of the book from models.
func (h *house) hides(name string) bool {
	t, ok := h.router.Lookup(name)
	return ok && t.Private
}

// enter makes a conversation the one of the chat and gives back the one before,
// with what was approved and seen in it.
func (h *house) enter(c *agent.Conversation) {
	h.router.Forget()
	h.data.Forget()
	h.talk.Store(c)
	h.open.keep(func(id string) bool { return id == c.ID() })
}

// fork begins a new session with turns of another.
func (h *house) fork(ctx context.Context, id string, turns int) (session.Session, error) {
	made, err := session.Fork(ctx, h.store, session.Branch{Of: id, Turns: turns, At: clock()})
	if errors.Is(err, session.ErrNotFound) {
		return made, noSession(id, h.home)
	}
	return made, err
}

func noSession(id, home string) error {
	return fmt.Errorf("no session %s in %s; nfa sessions list shows them", id, console.Path(home))
}
