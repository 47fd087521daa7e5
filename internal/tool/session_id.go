package tool

import "context"

type sessionIDKey struct{}

// WithSessionID says in which conversation the calls made with ctx are, for
// tools that remember what they have already told it.
func WithSessionID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, sessionIDKey{}, id)
}

// SessionID is the conversation of a call, or "" for one made by hand.
func SessionID(ctx context.Context) string {
	id, _ := ctx.Value(sessionIDKey{}).(string)
	return id
}
