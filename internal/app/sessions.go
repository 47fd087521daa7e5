package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/usage"
)

// SessionFormat is an export format of a session.
type SessionFormat string

// The export formats.
const (
	SessionMarkdown SessionFormat = "md"
	SessionJSON     SessionFormat = "json"
)

// ParseSessionFormat returns the named format, else the one for the file's extension.
func ParseSessionFormat(format, file string) (SessionFormat, error) {
	switch f := SessionFormat(format); {
	case f == SessionMarkdown, f == SessionJSON:
		return f, nil
	case f != "":
		return "", usage.Errorf("--format %s: must be md or json", format)
	case strings.EqualFold(filepath.Ext(file), ".json"):
		return SessionJSON, nil
	}
	return SessionMarkdown, nil
}

// CheckSessionID returns an error if id is not a session ID.
func CheckSessionID(id string) error {
	if session.ValidID(id) {
		return nil
	}
	return usage.Errorf("%q is not a session ID such as 20261121-150405-7k3qab; nfa sessions lists them", id)
}

// SessionRow is a session as a row of a list.
type SessionRow struct {
	session.Session
	Open bool `json:"open"` // open in a running nfa
}

// ListSessions lists the saved sessions, most recently used first; a limit of 0 lists all.
func (a *App) ListSessions(ctx context.Context, limit int) ([]SessionRow, error) {
	store, err := a.Stores.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	all, err := store.List(ctx, limit)
	if err != nil {
		return nil, err
	}
	locked, err := a.locks.locks.Locked(ctx)
	if err != nil {
		a.Log.Warn().Err(err).Msg("find open sessions")
	}
	rows, secrets := make([]SessionRow, 0, len(all)), a.Secrets()
	for _, s := range all {
		if !session.ValidID(s.ID) {
			a.Log.Warn().Str("id", s.ID).Msg("a session that nfa did not save was left out")
			continue
		}
		s.Title = secrets.Hide(s.Title)
		rows = append(rows, SessionRow{Session: s, Open: locked[s.ID]})
	}
	return rows, nil
}

// LoadSession reads a saved session.
func (a *App) LoadSession(ctx context.Context, id string) (session.Session, []session.Entry, error) {
	if err := CheckSessionID(id); err != nil {
		return session.Session{}, nil, err
	}
	store, err := a.Stores.Sessions(ctx)
	if err != nil {
		return session.Session{}, nil, err
	}
	s, entries, err := store.Load(ctx, id)
	if errors.Is(err, session.ErrNotFound) {
		err = a.SessionNotFound(id)
	}
	return s, entries, err
}

// SessionNotFound returns an error that wraps session.ErrNotFound and explains how to list the
// sessions.
func (a *App) SessionNotFound(id string) error {
	return &sessionNotFoundError{fmt.Sprintf("no session %s in %s; nfa sessions lists them", id, humanize.ShortPath(a.Home))}
}

// sessionNotFoundError is session.ErrNotFound with the next step for the user.
type sessionNotFoundError struct{ text string }

func (e *sessionNotFoundError) Error() string { return e.text }
func (e *sessionNotFoundError) Unwrap() error { return session.ErrNotFound }

// ExportSession returns a session in a format, with secrets removed.
func (a *App) ExportSession(ctx context.Context, id string, format SessionFormat) ([]byte, error) {
	s, entries, err := a.LoadSession(ctx, id)
	if err != nil {
		return nil, err
	}
	secrets := a.Secrets()
	if format == SessionMarkdown {
		return []byte(secrets.Hide(report.WriteTranscript(s, entries, report.TranscriptOptions{}))), nil
	}
	var doc bytes.Buffer
	if err := cli.WriteJSON(&doc, session.NewArchive(s, entries)); err != nil {
		return nil, err
	}
	return cli.EscapeControls(secrets.HideInJSON(doc.Bytes())), nil
}

// ExportSessionTo writes a session to a file that only the user can read.
func (a *App) ExportSessionTo(ctx context.Context, id, file string, replace bool, format SessionFormat) error {
	text, err := a.ExportSession(ctx, id, format)
	if err != nil {
		return err
	}
	return atomicfile.Create(file, text, 0o600, replace)
}

// ImportSession saves an archive under its own ID, so that a second import is detected.
func (a *App) ImportSession(ctx context.Context, archive session.Archive) error {
	store, err := a.Stores.Sessions(ctx)
	if err != nil {
		return err
	}
	id := archive.Session.ID
	switch _, _, err := store.Load(ctx, id); {
	case err == nil:
		return fmt.Errorf("session %s already exists; to continue in a copy: nfa sessions fork %s", id, id)
	case !errors.Is(err, session.ErrNotFound):
		return err
	}
	return store.Create(ctx, archive.Session, archive.Entries...)
}

// ForkSession copies the first turns of a session into a new one; 0 copies all.
func (a *App) ForkSession(ctx context.Context, id string, turns int) (session.Session, error) {
	store, err := a.Stores.Sessions(ctx)
	if err != nil {
		return session.Session{}, err
	}
	forked, err := session.Fork(ctx, store, session.ForkPoint{SessionID: id, Turns: turns, At: a.Now()})
	if errors.Is(err, session.ErrNotFound) {
		return forked, a.SessionNotFound(id)
	}
	return forked, err
}

// DeleteSession deletes a session, unless a process is writing it.
func (a *App) DeleteSession(ctx context.Context, id string) error {
	if a.locks.owns(id) {
		return fmt.Errorf("session %s is open in this chat; start a new one with /clear", id)
	}
	switch err := a.locks.acquire(ctx, id); {
	case errors.Is(err, session.ErrLocked):
		return fmt.Errorf("session %s is open in another nfa process; close it there first", id)
	case err != nil:
		return err
	}
	defer a.locks.release(id)
	store, err := a.Stores.Sessions(ctx)
	if err != nil {
		return err
	}
	a.Skills.Cache().Clear(id)
	return store.Delete(ctx, id)
}

// WritesSession reports whether this program has a session open for writing.
func (a *App) WritesSession(id string) bool { return a.locks.owns(id) }

// CloseSession releases the lock of a session that StartConversation or ResumeConversation opened.
func (a *App) CloseSession(id string) { a.locks.release(id) }

// StartConversation starts a new session.
func (a *App) StartConversation(ctx context.Context) *agent.Conversation {
	c := a.agent.Start()
	if err := a.locks.acquire(ctx, c.ID()); err != nil {
		// The ID is new, so no other process writes it: continue without a lock.
		a.Log.Warn().Err(err).Msg("locking a new session")
	}
	return c
}

// ResumeConversation opens a saved session and locks it for writing. It returns session.ErrLocked
// if another process is writing it.
func (a *App) ResumeConversation(ctx context.Context, id string) (*agent.Conversation, []session.Entry, error) {
	if err := a.locks.acquire(ctx, id); err != nil {
		return nil, nil, err
	}
	// Load it after locking, so that no other process appends to it.
	c, entries, err := a.agent.Resume(ctx, id)
	if err != nil {
		a.locks.release(id)
		return nil, nil, err
	}
	for name, version := range c.LoadedSkills() {
		a.Skills.Cache().Restore(id, name, version)
	}
	if c.Withheld() {
		note, _ := json.Marshal(agent.Display{Text: AmountsSharedNotice}) // a text always encodes
		entries = append(entries, session.Entry{Kind: session.KindNote, Display: note})
	}
	return c, entries, nil
}

// AmountsSharedNotice is shown when a session that shared amounts continues with hidden amounts.
const AmountsSharedNotice = "share_amounts is now off. Portfolio results from earlier in this session are not sent to the model again, but earlier answers may contain amounts. To keep those private, start a new session."

// Conversation returns the session of the chat, or nil before SetConversation.
func (a *App) Conversation() *agent.Conversation { return a.conversation.Load() }

// SetConversation sets the session of the chat. It closes the previous one, with its approvals and
// its record of market data.
func (a *App) SetConversation(c *agent.Conversation) {
	a.Tools.ForgetApprovals()
	a.Market.Seen.Reset()
	a.conversation.Store(c)
	a.locks.releaseOthers(c.ID())
}

// Usage returns the usage of the chat's session.
func (a *App) Usage() agent.UsageSummary {
	if c := a.Conversation(); c != nil {
		return c.UsageSummary()
	}
	return agent.UsageSummary{}
}
