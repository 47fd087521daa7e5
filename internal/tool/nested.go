package tool

import (
	"context"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// parent is the call that runs, for the calls that it makes in its turn.
type parent struct {
	call     llm.ToolCall
	observer Observer
}

type parentKey struct{}

func within(ctx context.Context, call llm.ToolCall, obs Observer) context.Context {
	return context.WithValue(ctx, parentKey{}, parent{call, obs})
}

// Nested is for a tool that calls others: the ID of the call it makes as its step
// of that name, and who is to be told of it. Of a call by hand it is the step and
// nobody.
func Nested(ctx context.Context, step string) (id string, obs Observer) {
	p, ok := ctx.Value(parentKey{}).(parent)
	if !ok {
		return step, Observer{}
	}
	return p.call.ID + nestedBy + step, p.observer
}

// nestedBy stands in no ID that a server gives.
const nestedBy = "»"

// IsNested reports whether a call was made by another one.
func IsNested(call llm.ToolCall) bool { return strings.Contains(call.ID, nestedBy) }
