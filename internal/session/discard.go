package session

import "context"

// Discard is a Store that keeps nothing, for conversations that are not among the user's sessions.
type Discard struct{}

func (Discard) Create(context.Context, Session, ...Entry) error { return nil }
func (Discard) Append(context.Context, string, ...Entry) error  { return nil }
func (Discard) List(context.Context, int) ([]Session, error)    { return nil, nil }
func (Discard) Delete(context.Context, string) error            { return ErrNotFound }
func (Discard) Load(context.Context, string) (Session, []Entry, error) {
	return Session{}, nil, ErrNotFound
}
