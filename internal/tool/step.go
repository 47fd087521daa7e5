package tool

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// parentCall is the call that runs, for the calls that it makes in its turn.
type parentCall struct {
	call             llm.ToolCall
	observer         Observer
	state            any  // of the preview
	approvedByPerson bool // somebody saw it and said yes
}

type parentCallKey struct{}

func withParent(ctx context.Context, p parentCall) context.Context {
	return context.WithValue(ctx, parentCallKey{}, p)
}

// PreviewState is the State that a tool's Preview left for its run, or nil: what was
// shown to the user is what is run.
func PreviewState(ctx context.Context) any {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	return p.state
}

// ApprovedByPerson reports whether somebody saw what the call that runs in ctx would do,
// and said yes to it.
func ApprovedByPerson(ctx context.Context) bool {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	return p.approvedByPerson
}

// stepSeparator stands in no ID that a server gives.
const stepSeparator = "»"

// Step makes a call on behalf of the call that runs in ctx, as its step of that name. Observers of
// that call are notified of this one, too.
func (r *Router) Step(ctx context.Context, step, name string, args json.RawMessage) (Outcome, error) {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	call := llm.ToolCall{ID: p.call.ID + stepSeparator + step, Name: name, Arguments: string(args)}
	outcomes, err := r.Dispatch(ctx, []llm.ToolCall{call}, p.observer)
	return outcomes[0], err
}

// ParentCallID is the ID of the call on whose behalf the call of this ID was made: its own
// where no other call made it.
func ParentCallID(callID string) string {
	first, _, _ := strings.Cut(callID, stepSeparator)
	return first
}

// StepName is the step that the call of this ID was made as, or "" for one that no
// other call made.
func StepName(callID string) string {
	_, step, _ := strings.Cut(callID, stepSeparator)
	return step
}
