package toolkit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
)

// MutationPlan is a call made ready.
type MutationPlan struct {
	// Changes says line by line what would be written. With one the user is asked first.
	Changes []string
	// ApprovalKey tells that an approval for the session may hold for acts of this name
	// as well, and not for this plan alone.
	ApprovalKey string
	// Run does it.
	Run func(context.Context) (tool.Result, error)
}

// ReadOnlyPlan is an act that writes nothing.
func ReadOnlyPlan(run func(context.Context) (tool.Result, error)) MutationPlan {
	return MutationPlan{Run: run}
}

// RefusedPlan is an act that is refused before anybody is asked.
func RefusedPlan(err error) MutationPlan {
	return ReadOnlyPlan(func(context.Context) (tool.Result, error) { return RefusalResult(err) })
}

// NewMutationTool makes a tool of what readies its calls. Those that read run at once; those that
// write ask.
func NewMutationTool[In any](name, description string, plan func(context.Context, In) MutationPlan) tool.Tool {
	t := tool.New(name, description, tool.Reads, func(ctx context.Context, _ In) (tool.Result, error) {
		a, ok := tool.PreviewState(ctx).(MutationPlan)
		if !ok {
			return tool.Result{}, fmt.Errorf("%s was not made ready", name)
		}
		return a.Run(ctx)
	})
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of %s: %w", name, err)
		}
		a := plan(ctx, in)
		p := tool.Preview{Plan: a.Changes, Ask: len(a.Changes) > 0, Key: a.ApprovalKey, State: a}
		if a.ApprovalKey == "" {
			p.Key = strings.Join(a.Changes, "\n")
		}
		return p, nil
	}
	return t
}

// CheckWritable refuses to write while the clock is set back: what is written now would be
// dated then.
func CheckWritable(p Prices) error {
	if !p.Replay {
		return nil
	}
	return InvalidArgsf("the clock is set back to %s: nothing is written in a replay", FormatDate(p.Today()))
}
