package tool

import "context"

type sessionIDKey struct{}

// WithSessionID sets the session of calls with ctx, for tools that track what they already returned
// in it.
func WithSessionID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, sessionIDKey{}, id)
}

// SessionID returns the session of a call, or "" if it was made outside a session.
func SessionID(ctx context.Context) string {
	id, _ := ctx.Value(sessionIDKey{}).(string)
	return id
}
