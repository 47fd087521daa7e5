package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/nfa-cli/nfa/internal/session"
)

// Sessions stores sessions.
type Sessions struct{ engine Eraser }

var _ session.Store = Sessions{}

// NewSessions returns the sessions that an engine holds.
func NewSessions(e Eraser) Sessions { return Sessions{e} }

// Eraser is an Engine that can also erase data.
type Eraser interface {
	Engine
	// Erase is Write for data that must not be left in a file.
	Erase(ctx context.Context, do func(Tx) error) error
}

func (s Sessions) Create(ctx context.Context, c session.Session, entries ...session.Entry) error {
	err := s.engine.Write(ctx, func(tx Tx) error {
		_, err := tx.ExecContext(ctx,
			"INSERT INTO session (id, title, model, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
			c.ID, c.Title, c.Model, c.CreatedAt.UnixMicro(), c.UpdatedAt.UnixMicro())
		if err != nil {
			return err
		}
		return appendEntries(ctx, tx, c.ID, entries)
	})
	if err != nil {
		return fmt.Errorf("create session %s: %w", c.ID, err)
	}
	return nil
}

func (s Sessions) Append(ctx context.Context, id string, entries ...session.Entry) error {
	err := s.engine.Write(ctx, func(tx Tx) error { return appendEntries(ctx, tx, id, entries) })
	if err != nil {
		return fmt.Errorf("append to session %s: %w", id, err)
	}
	return nil
}

func appendEntries(ctx context.Context, tx Tx, id string, entries []session.Entry) error {
	for _, e := range entries {
		if err := appendEntry(ctx, tx, id, e); err != nil {
			return err
		}
	}
	return nil
}

// deleteDeltas stops at the last entry that is neither delta nor note: deltas before it belong to
// an interrupted message, and nothing replaces them.
const deleteDeltas = `DELETE FROM entry WHERE session_id = ? AND kind = 'assistant_delta' AND seq > coalesce(
	(SELECT seq FROM entry WHERE session_id = ? AND kind IN ('user', 'assistant', 'tool') ORDER BY seq DESC LIMIT 1), 0)`

func appendEntry(ctx context.Context, tx Tx, id string, e session.Entry) error {
	var change session.Session
	change.Add(e)
	at := e.At.UnixMicro()
	result, err := tx.ExecContext(ctx, `UPDATE session SET updated_at = CASE WHEN updated_at < ? THEN ? ELSE updated_at END,
		messages = messages + ?, agent = coalesce(nullif(?, ''), agent) WHERE id = ?`, at, at, change.Messages, change.Agent, id)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, session.ErrNotFound)
	}
	if e.Kind == session.KindAssistant {
		if _, err := tx.ExecContext(ctx, deleteDeltas, id, id); err != nil {
			return err
		}
	}
	message, err := json.Marshal(e.Message)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	var display any // NULL if there is none
	if len(e.Display) > 0 {
		if !json.Valid(e.Display) {
			return errors.New("encode display: not valid JSON")
		}
		display = string(e.Display)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO entry (session_id, seq, at, kind, message, display)
		VALUES (?, 1 + (SELECT coalesce(max(seq), 0) FROM entry WHERE session_id = ?), ?, ?, ?, ?)`,
		id, id, at, string(e.Kind), string(message), display)
	return err
}

func (s Sessions) Load(ctx context.Context, id string) (session.Session, []session.Entry, error) {
	var record session.Session
	var entries []session.Entry
	// Use one transaction, so that metadata and entries are from the same moment while another
	// process appends.
	err := s.engine.Read(ctx, func(tx Tx) (err error) {
		record, err = scanSession(tx.QueryRowContext(ctx, "SELECT "+sessionColumns+" FROM session WHERE id = ?", id))
		if err != nil {
			return err
		}
		return forRows(ctx, tx, func(rows *sql.Rows) error {
			e, err := scanEntry(rows)
			entries = append(entries, e)
			return err
		}, "SELECT seq, at, kind, message, display FROM entry WHERE session_id = ? ORDER BY seq", id)
	})
	if err != nil {
		return session.Session{}, nil, fmt.Errorf("load session %s: %w", id, err)
	}
	return record, entries, nil
}

func (s Sessions) List(ctx context.Context, limit int) ([]session.Session, error) {
	if limit <= 0 {
		limit = math.MaxInt32
	}
	var list []session.Session
	err := s.engine.Read(ctx, func(tx Tx) error {
		return forRows(ctx, tx, func(rows *sql.Rows) error {
			record, err := scanSession(rows)
			list = append(list, record)
			return err
		}, "SELECT "+sessionColumns+" FROM session ORDER BY updated_at DESC, id DESC LIMIT ?", limit)
	})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return list, nil
}

func (s Sessions) Delete(ctx context.Context, id string) error {
	err := s.engine.Erase(ctx, func(tx Tx) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM session WHERE id = ?", id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, session.ErrNotFound)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	return nil
}

type scanner interface{ Scan(dest ...any) error }

// sessionColumns are the columns that scanSession reads.
const sessionColumns = "id, title, model, created_at, updated_at, agent, messages"

func scanSession(row scanner) (session.Session, error) {
	var c session.Session
	var created, updated int64
	err := row.Scan(&c.ID, &c.Title, &c.Model, &created, &updated, &c.Agent, &c.Messages)
	if errors.Is(err, sql.ErrNoRows) {
		return session.Session{}, session.ErrNotFound
	}
	c.CreatedAt, c.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return c, err
}

func scanEntry(row scanner) (session.Entry, error) {
	var e session.Entry
	var at int64
	var message string
	var display sql.NullString
	if err := row.Scan(&e.Seq, &at, &e.Kind, &message, &display); err != nil {
		return session.Entry{}, err
	}
	e.At = time.UnixMicro(at).UTC()
	if display.Valid {
		e.Display = json.RawMessage(display.String)
	}
	if err := json.Unmarshal([]byte(message), &e.Message); err != nil {
		return session.Entry{}, fmt.Errorf("entry %d: %w", e.Seq, err)
	}
	return e, nil
}
