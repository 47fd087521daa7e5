package personal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// act is a call made ready. With a plan it writes, and the user is asked first;
// what they saw is what run does.
type act struct {
	plan []string
	// standing tells that an approval for the session may hold for acts of this name
	// as well, and not for this plan alone.
	standing string
	run      func(context.Context) (tool.Result, error)
}

// reading is an act that writes nothing.
func reading(run func(context.Context) (tool.Result, error)) act { return act{run: run} }

// refusing is an act that is refused before anybody is asked.
func refusing(err error) act {
	return reading(func(context.Context) (tool.Result, error) { return refusal(err) })
}

// refusal says an error to the model where a better call would avoid it.
func refusal(err error) (tool.Result, error) {
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

// invalid is an error of the arguments.
type invalid struct{ error }

func (e invalid) Unwrap() error { return e.error }

func invalidf(format string, args ...any) error { return invalid{fmt.Errorf(format, args...)} }

// nothing is an error that there is nothing to show.
type nothing struct{ error }

func nothingf(format string, args ...any) error { return nothing{fmt.Errorf(format, args...)} }

// exact is a number of a call as it was written. Digits beyond those that are kept
// are refused before anybody reckons with them.
func exact(name string, text json.Number) (decimal.Decimal, error) {
	const finest, largest, digits = -18, 18, 38
	n, err := decimal.NewFromString(text.String())
	if err != nil || n.Exponent() < finest || n.Exponent() > largest || n.NumDigits() > digits {
		return decimal.Decimal{}, invalidf("%s %.40q is no number of at most %d digits", name, text.String(), digits)
	}
	return n, nil
}

// acting makes a tool of what readies its calls. Most calls read and run at once;
// those that write ask.
func acting[In any](name, description string, ready func(context.Context, In) act) tool.Tool {
	t := tool.New(name, description, tool.Reads, func(ctx context.Context, _ In) (tool.Result, error) {
		a, ok := tool.Previewed(ctx).(act)
		if !ok {
			return tool.Result{}, fmt.Errorf("%s was not made ready", name)
		}
		return a.run(ctx)
	})
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of %s: %w", name, err)
		}
		a := ready(ctx, in)
		p := tool.Preview{Plan: a.plan, Ask: len(a.plan) > 0, Key: a.standing, State: a}
		if a.standing == "" {
			p.Key = strings.Join(a.plan, "\n")
		}
		return p, nil
	}
	return t
}

// notInReplay refuses to write while the clock is set back: what is written now
// would be dated then.
func (d Deps) notInReplay() error {
	if !d.Replay {
		return nil
	}
	return invalidf("the clock is set back to %s: nothing is written in a replay", present.Dated(d.today()))
}
