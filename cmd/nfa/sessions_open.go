package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/session"
)

// openSessions holds the sessions that this program has locked for writing.
type openSessions struct {
	locks session.Locks

	mu   sync.Mutex
	held map[string]func() // releases it
}

func newOpenSessions(home string) *openSessions {
	return &openSessions{locks: session.NewLocks(filepath.Join(home, "cache", "locks")), held: map[string]func(){}}
}

// acquire opens a session for writing, or reports session.ErrLocked.
func (o *openSessions) acquire(ctx context.Context, id string) error {
	release, err := o.locks.Acquire(ctx, id)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held[id] = release
	return nil
}

// releaseExcept releases every session for which keep returns false.
func (o *openSessions) releaseExcept(keep func(id string) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, release := range o.held {
		if !keep(id) {
			release()
			delete(o.held, id)
		}
	}
}

func (o *openSessions) releaseOne(id string) {
	o.releaseExcept(func(held string) bool { return held != id })
}

func (o *openSessions) close() error {
	o.releaseExcept(func(string) bool { return false })
	return nil
}

// owns reports whether this program writes the session.
func (o *openSessions) owns(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held[id] != nil
}

// startConversation opens a new conversation.
func (p *program) startConversation(ctx context.Context) *agent.Conversation {
	c := p.agent.Start()
	if err := p.openSessions.acquire(ctx, c.ID()); err != nil {
		// Nobody else has its ID: without a lock it is less safe, not unusable.
		p.log.Warn().Err(err).Msg("locking a new session")
	}
	return c
}

// resumeSession opens a saved session and locks it for writing.
func (p *program) resumeSession(ctx context.Context, id string) (*agent.Conversation, []session.Entry, error) {
	if err := p.openSessions.acquire(ctx, id); err != nil {
		return nil, nil, err
	}
	// Loaded only now: nobody else adds to it from here on.
	c, entries, err := p.agent.Resume(ctx, id)
	if err != nil {
		p.openSessions.releaseOne(id)
		return nil, nil, err
	}
	if c.Withheld() {
		note, _ := json.Marshal(agent.Display{Text: amountsSharedNotice}) // a text always encodes
		entries = append(entries, session.Entry{Kind: session.KindNote, Display: note})
	}
	return c, entries, nil
}

// amountsSharedNotice is shown when a session that began with shared amounts continues with hidden
// amounts.
const amountsSharedNotice = "share_amounts is off, and was on earlier in this session: what tools said of your book then is not sent to the model again. Earlier answers of this session may name amounts; a new session does not."

// hidesAmounts reports whether the amounts in the results of a tool are hidden from models. A
// command that the user runs shows everything: no model reads it.
func (p *program) hidesAmounts(name string) bool {
	if p.cfg.ShareAmounts || p.userInvoked {
		return false
	}
	t, ok := p.router.Lookup(name)
	return ok && t.Private
}

// setConversation makes c the conversation of the chat. It releases the previous one, with its
// approvals and the data it has seen.
func (p *program) setConversation(c *agent.Conversation) {
	p.router.ForgetApprovals()
	p.seenData.Reset()
	p.conversation.Store(c)
	p.openSessions.releaseExcept(func(id string) bool { return id == c.ID() })
}

// forkSession begins a new session with turns of another.
func (p *program) forkSession(ctx context.Context, id string, turns int) (session.Session, error) {
	forked, err := session.Fork(ctx, p.sessions, session.ForkPoint{SessionID: id, Turns: turns, At: clock()})
	if errors.Is(err, session.ErrNotFound) {
		return forked, sessionNotFound(id, p.home)
	}
	return forked, err
}

func sessionNotFound(id, home string) error {
	return fmt.Errorf("no session %s in %s; nfa sessions list shows them", id, cli.ShortPath(home))
}
