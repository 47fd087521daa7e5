package tool

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// parentCall is the running call, for the calls it makes itself.
type parentCall struct {
	call     llm.ToolCall
	observer Observer
	state    any // from the preview
	// Shown with the call, which was approved or needed no approval.
	sends  []Send
	writes []string
}

// announces reports whether the plan names a file or its folder.
func (p parentCall) announces(file string) bool {
	return slices.ContainsFunc(p.writes, func(target string) bool { return file == target || filepath.Dir(file) == target })
}

type parentCallKey struct{}

func withParent(ctx context.Context, p parentCall) context.Context {
	return context.WithValue(ctx, parentCallKey{}, p)
}

// PreviewState returns the State of the tool's Preview, or nil. A tool uses it to run exactly what
// the user was shown.
func PreviewState(ctx context.Context) any {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	return p.state
}

// stepSeparator does not occur in the call IDs of any server.
const stepSeparator = "»"

// ParentCall returns the call that runs in ctx, with its observer. A tool that runs its own session reports
// the calls of that session to the observer, with IDs made by StepID.
func ParentCall(ctx context.Context) (llm.ToolCall, Observer) {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	return p.call, p.observer
}

// StepID returns the ID of a call that another call makes as its step.
func StepID(parentID, step string) string { return parentID + stepSeparator + step }

// Step makes a call on behalf of the call that runs in ctx, as its step with that name. The
// observers of that call are notified of this one too.
func (r *Router) Step(ctx context.Context, step, name string, args json.RawMessage) (Outcome, error) {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	call := llm.ToolCall{ID: StepID(p.call.ID, step), Name: name, Arguments: string(args)}
	outcomes, err := r.Dispatch(ctx, []llm.ToolCall{call}, p.observer)
	return outcomes[0], err
}

// StepOf runs a step that makes several calls, which observers see as one. run makes the calls with the
// function it receives, which takes the name of a part and its arguments.
func (r *Router) StepOf(ctx context.Context, step, name string, args json.RawMessage, run func(call func(part string, args json.RawMessage) (Outcome, error)) Result) (Outcome, error) {
	p, _ := ctx.Value(parentCallKey{}).(parentCall)
	whole := llm.ToolCall{ID: StepID(p.call.ID, step), Name: name, Arguments: string(args)}
	if p.observer.Started != nil {
		p.observer.Started(whole)
	}
	began := time.Now()
	result := run(func(part string, args json.RawMessage) (Outcome, error) {
		call := llm.ToolCall{ID: StepID(whole.ID, part), Name: name, Arguments: string(args)}
		outcomes, err := r.Dispatch(ctx, []llm.ToolCall{call}, Observer{})
		return outcomes[0], err
	})
	o := Outcome{Call: whole, Result: result, Duration: time.Since(began)}
	if p.observer.Finished != nil {
		p.observer.Finished(o)
	}
	return o, ctx.Err()
}

// ParentCallID returns the ID of the call that made this call, or callID itself if none did.
func ParentCallID(callID string) string {
	first, _, _ := strings.Cut(callID, stepSeparator)
	return first
}

// StepName returns the step name of a call, or "" if no other call made it.
func StepName(callID string) string {
	_, step, _ := strings.Cut(callID, stepSeparator)
	return step
}
