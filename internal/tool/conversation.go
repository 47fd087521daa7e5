package tool

import "context"

type conversationKey struct{}

// WithConversation says in which conversation the calls made with ctx are, for
// tools that remember what they have already told it.
func WithConversation(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, conversationKey{}, id)
}

// Conversation is the conversation of a call, or "" for one made by hand.
func Conversation(ctx context.Context) string {
	id, _ := ctx.Value(conversationKey{}).(string)
	return id
}
