// Package sessiontest helps to test stores of sessions and their users: an in-memory store, and the
// contract for every store.
package sessiontest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/session"
)

// Memory is an in-memory session.Store for one test. The zero value is ready to use.
type Memory struct {
	mu       sync.Mutex
	sessions map[string]*storedSession
	// FailAppend, if set, is returned by Append, which then saves nothing.
	FailAppend error
}

type storedSession struct {
	session session.Session
	entries []session.Entry
	lastSeq int64
}

var _ session.Store = (*Memory)(nil)

// Create saves a new session.
func (m *Memory) Create(_ context.Context, s session.Session, entries ...session.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sessions == nil {
		m.sessions = map[string]*storedSession{}
	}
	if _, ok := m.sessions[s.ID]; ok {
		return fmt.Errorf("session %s exists", s.ID)
	}
	s.Agent, s.Messages = "", 0
	k := &storedSession{session: s}
	if err := k.append(entries); err != nil {
		return fmt.Errorf("create session %s: %w", s.ID, err)
	}
	m.sessions[s.ID] = k
	return nil
}

// Append saves the entries; an assistant message replaces its own deltas.
func (m *Memory) Append(_ context.Context, id string, entries ...session.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.FailAppend != nil {
		return m.FailAppend
	}
	k, ok := m.sessions[id]
	if !ok {
		return session.ErrNotFound
	}
	if err := k.append(entries); err != nil {
		return fmt.Errorf("append to session %s: %w", id, err)
	}
	return nil
}

func (k *storedSession) append(entries []session.Entry) error {
	for _, e := range entries {
		// A real store could not save invalid JSON either.
		if _, err := json.Marshal(e); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if e.Kind == session.KindAssistant {
			k.entries = withoutLastDeltas(k.entries)
		}
		k.lastSeq++
		e.Seq = k.lastSeq
		k.entries = append(k.entries, e)
		k.session.Add(e)
	}
	return nil
}

// withoutLastDeltas drops the deltas of the current message and keeps those of earlier interrupted
// messages.
func withoutLastDeltas(entries []session.Entry) []session.Entry {
	start := len(entries)
	for start > 0 && (entries[start-1].Kind == session.KindDelta || entries[start-1].Kind == session.KindNote) {
		start--
	}
	rest := slices.DeleteFunc(slices.Clone(entries[start:]), func(e session.Entry) bool { return e.Kind == session.KindDelta })
	return append(entries[:start:start], rest...)
}

// Load returns a session with its entries.
func (m *Memory) Load(_ context.Context, id string) (session.Session, []session.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.sessions[id]
	if !ok {
		return session.Session{}, nil, session.ErrNotFound
	}
	return k.session, slices.Clone(k.entries), nil
}

// List returns the newest sessions first.
func (m *Memory) List(_ context.Context, limit int) ([]session.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []session.Session
	for _, k := range m.sessions {
		out = append(out, k.session)
	}
	slices.SortFunc(out, func(a, b session.Session) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
	})
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out, nil
}

// Delete deletes a session.
func (m *Memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.sessions[id]; !ok {
		return session.ErrNotFound
	}
	delete(m.sessions, id)
	return nil
}
