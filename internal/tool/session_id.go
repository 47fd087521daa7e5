package tool

import "context"

type sessionIDKey struct{}

// WithSessionID sets the conversation of the calls made with ctx, for tools that remember what they
// have already returned in it.
func WithSessionID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, sessionIDKey{}, id)
}

// SessionID is the conversation of a call, or "" for one made by hand.
func SessionID(ctx context.Context) string {
	id, _ := ctx.Value(sessionIDKey{}).(string)
	return id
}
