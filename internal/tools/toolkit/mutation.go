package toolkit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
)

// MutationPlan is a validated call that is ready to run.
type MutationPlan struct {
	// Changes lists what would be written, one line each. If it is not empty, the user is asked first.
	Changes []string
	// ApprovalKey is what an approval for the session covers; empty means only these changes.
	ApprovalKey string
	// Run makes the changes.
	Run func(context.Context) (tool.Result, error)
}

// ReadOnlyPlan returns a plan that writes nothing.
func ReadOnlyPlan(run func(context.Context) (tool.Result, error)) MutationPlan {
	return MutationPlan{Run: run}
}

// RefusedPlan returns a plan that fails without asking the user.
func RefusedPlan(err error) MutationPlan {
	return ReadOnlyPlan(func(context.Context) (tool.Result, error) { return RefusalResult(err) })
}

// NewMutationTool returns a tool for a function that plans its calls. Plans without changes run
// immediately; others ask the user first, also within an approved workflow, because the user has not seen
// these changes.
func NewMutationTool[In any](name, description string, effect tool.Effect, plan func(context.Context, In) MutationPlan) tool.Tool {
	t := tool.New(name, description, effect, func(ctx context.Context, _ In) (tool.Result, error) {
		a, ok := tool.PreviewState(ctx).(MutationPlan)
		if !ok {
			return tool.Result{}, fmt.Errorf("%s was called without a preview", name)
		}
		return a.Run(ctx)
	})
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of %s: %w", name, err)
		}
		a := plan(ctx, in)
		changes := len(a.Changes) > 0
		p := tool.Preview{Plan: a.Changes, Ask: changes, ReadsOnly: !changes, Key: a.ApprovalKey, State: a}
		if a.ApprovalKey == "" {
			p.Key = strings.Join(a.Changes, "\n")
		}
		return p, nil
	}
	return t
}

// CheckWritable returns an error while the clock is set back, because what is written would be dated
// in the past.
func CheckWritable(p Prices) error {
	if !p.Replay {
		return nil
	}
	return InvalidArgsf("--as-of sets the date to %s, so nothing can be saved; to save, run nfa without --as-of", FormatDate(p.Today()))
}
