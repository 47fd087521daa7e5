// Package act is for tools whose calls mostly read and sometimes write. Each call is
// made ready first: what writes asks, and what the user was shown is what is run.
package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Act is a call made ready.
type Act struct {
	// Plan says line by line what would be written. With one the user is asked first.
	Plan []string
	// Standing tells that an approval for the session may hold for acts of this name
	// as well, and not for this plan alone.
	Standing string
	// Run does it.
	Run func(context.Context) (tool.Result, error)
}

// Reading is an act that writes nothing.
func Reading(run func(context.Context) (tool.Result, error)) Act { return Act{Run: run} }

// Refusing is an act that is refused before anybody is asked.
func Refusing(err error) Act {
	return Reading(func(context.Context) (tool.Result, error) { return Refusal(err) })
}

// Refusal says an error to the model where a better call would avoid it: one of
// Invalid, of Nothing, or as present.Mendable has it. The others end the call.
func Refusal(err error) (tool.Result, error) {
	var in invalid
	var none nothing
	switch {
	case errors.As(err, &in):
		return present.Invalid(err)
	case errors.As(err, &none):
		return tool.Failed(tool.CodeNoData, err.Error()), nil
	}
	return present.Mendable(err)
}

type invalid struct{ error }

func (e invalid) Unwrap() error { return e.error }

// Invalid marks an error of the arguments.
func Invalid(err error) error { return invalid{err} }

// Invalidf is an error of the arguments.
func Invalidf(format string, args ...any) error { return invalid{fmt.Errorf(format, args...)} }

type nothing struct{ error }

func (e nothing) Unwrap() error { return e.error }

// Nothingf is an error that there is nothing to show.
func Nothingf(format string, args ...any) error { return nothing{fmt.Errorf(format, args...)} }

// New makes a tool of what readies its calls. Those that read run at once; those that
// write ask.
func New[In any](name, description string, ready func(context.Context, In) Act) tool.Tool {
	t := tool.New(name, description, tool.Reads, func(ctx context.Context, _ In) (tool.Result, error) {
		a, ok := tool.Previewed(ctx).(Act)
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
		a := ready(ctx, in)
		p := tool.Preview{Plan: a.Plan, Ask: len(a.Plan) > 0, Key: a.Standing, State: a}
		if a.Standing == "" {
			p.Key = strings.Join(a.Plan, "\n")
		}
		return p, nil
	}
	return t
}

// Writable refuses to write while the clock is set back: what is written now would be
// dated then.
func Writable(p question.Prices) error {
	if !p.Replay {
		return nil
	}
	return Invalidf("the clock is set back to %s: nothing is written in a replay", present.Dated(p.Today()))
}
