package session

import (
	"context"
	"fmt"
	"time"
)

// ForkPoint is the point at which a session is forked.
type ForkPoint struct {
	SessionID string // the session to copy
	Turns     int    // number of turns to copy, from the first; 0 means all
	At        time.Time
}

// Fork creates a new session with the turns of another, which is unchanged.
func Fork(ctx context.Context, s Store, b ForkPoint) (Session, error) {
	original, entries, err := s.Load(ctx, b.SessionID)
	if err != nil {
		return Session{}, fmt.Errorf("fork session %s: %w", b.SessionID, err)
	}
	if b.Turns > 0 {
		if entries, err = firstTurns(entries, b.Turns); err != nil {
			return Session{}, fmt.Errorf("fork session %s: %w", b.SessionID, err)
		}
	}
	fork := Session{ID: NewID(b.At), Title: original.Title, Model: original.Model, CreatedAt: b.At, UpdatedAt: b.At}
	if err := s.Create(ctx, fork, entries...); err != nil {
		return Session{}, fmt.Errorf("fork session %s: %w", b.SessionID, err)
	}
	for _, e := range entries {
		fork.Add(e)
	}
	return fork, nil
}

// firstTurns returns n messages of the user and the entries after each.
func firstTurns(entries []Entry, n int) ([]Entry, error) {
	turns := 0
	for i, e := range entries {
		if e.Kind != KindUser {
			continue
		}
		if turns++; turns > n {
			return entries[:i], nil
		}
	}
	if turns < n {
		return nil, fmt.Errorf("%w: it has %d turns", ErrNoTurn, turns)
	}
	return entries, nil
}
