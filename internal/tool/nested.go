package tool

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// parent is the call that runs, for the calls that it makes in its turn.
type parent struct {
	call     llm.ToolCall
	observer Observer
	state    any  // of the preview
	byPerson bool // somebody saw it and said yes
}

type parentKey struct{}

func within(ctx context.Context, p parent) context.Context {
	return context.WithValue(ctx, parentKey{}, p)
}

// Previewed is the State that a tool's Preview left for its run, or nil: what was
// shown to the user is what is run.
func Previewed(ctx context.Context) any {
	p, _ := ctx.Value(parentKey{}).(parent)
	return p.state
}

// ByPerson reports whether somebody saw what the call that runs in ctx would do,
// and said yes to it.
func ByPerson(ctx context.Context) bool {
	p, _ := ctx.Value(parentKey{}).(parent)
	return p.byPerson
}

// nestedBy stands in no ID that a server gives.
const nestedBy = "»"

// Step makes a call on behalf of the call that runs in ctx, as its step of that
// name. Whoever is told of that call is told of this one, too.
func (r *Router) Step(ctx context.Context, step, name string, args json.RawMessage) (Outcome, error) {
	p, _ := ctx.Value(parentKey{}).(parent)
	call := llm.ToolCall{ID: p.call.ID + nestedBy + step, Name: name, Arguments: string(args)}
	outcomes, err := r.Dispatch(ctx, []llm.ToolCall{call}, p.observer)
	return outcomes[0], err
}

// CallOf is the ID of the call on whose behalf the call of this ID was made: its own
// where no other call made it.
func CallOf(callID string) string {
	first, _, _ := strings.Cut(callID, nestedBy)
	return first
}

// StepOf is the step that the call of this ID was made as, or "" for one that no
// other call made.
func StepOf(callID string) string {
	_, step, _ := strings.Cut(callID, nestedBy)
	return step
}
