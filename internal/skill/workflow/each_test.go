package workflow_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

type recordingCaller struct{ calls []workflow.Call }

func (r *recordingCaller) Call(_ context.Context, c workflow.Call) (json.RawMessage, error) {
	r.calls = append(r.calls, c)
	return json.RawMessage(`[{"symbol": "X"}, {"symbol": "Y"}]`), nil
}

// A step runs once for each item of a parameter, a literal list, or a part of an earlier result.
func TestK40_ForEachItem(t *testing.T) {
	steps, declared := parseSkill(t, `
parameters:
  - {name: symbols, type: list}
  - {name: range, default: 1y}
steps:
  - id: prices
    tool: price
    for_each: "{{symbols}}"
    as: symbol
    with: {symbol: "{{symbol}}", range: "{{range}}", text: "of {{symbol}}"}
  - id: again
    tool: price
    for_each: "{{steps.prices}}"
    with: {symbol: "{{item.symbol}}"}
  - id: fixed
    tool: price
    for_each: [1, ON]
    with: {symbol: "{{item}}"}
`)
	arguments, err := workflow.ReadArguments(declared, map[string]any{"symbols": "AAPL, IBM"})
	if err != nil {
		t.Fatal(err)
	}
	plan := workflow.NewPlan(steps, declared, arguments, workflow.Environment{})
	if err := plan.Err(); err != nil {
		t.Fatal(err)
	}
	caller := &recordingCaller{}
	if _, err := workflow.Run(t.Context(), plan, caller); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range caller.calls {
		for _, item := range c.Items {
			got = append(got, c.Step+" "+string(item.Arguments))
		}
	}
	want := []string{
		`prices {"range":"1y","symbol":"AAPL","text":"of AAPL"}`, `prices {"range":"1y","symbol":"IBM","text":"of IBM"}`,
		`again {"symbol":"X"}`, `again {"symbol":"Y"}`, `fixed {"symbol":1}`, `fixed {"symbol":"ON"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestK40_WrongListsAreProblemsOfThePlan(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat("A,", 65), ",")
	for _, row := range []struct{ step, symbols, want string }{
		{`{tool: price, for_each: "{{symbols}}", with: {symbol: "{{item}}"}}`, many, "for_each has 65 items; use at most 64"},
		{`{tool: price, for_each: "{{n}}", with: {symbol: "{{item}}"}}`, "A", "is not a list"},
		{`{tool: price, for_each: "x {{symbols}}"}`, "A", "for_each must be a list"},
		{`{tool: price, for_each: 5}`, "A", "for_each must be a list"},
		{`{tool: price, as: x}`, "A", "as has no effect without for_each"},
		{`{tool: price, for_each: "{{symbols}}", as: symbols}`, "A", "as: symbols is a parameter"},
		{`{tool: price, for_each: "{{nothing}}"}`, "A", "neither a parameter nor a step result"},
		{`{tool: price, with: {symbol: "{{item}}"}}`, "A", "neither a parameter nor a step result"},
	} {
		steps, declared := parseSkill(t, "parameters:\n  - {name: symbols, type: list}\n  - {name: n, type: number, default: 3}\nsteps:\n  - "+row.step+"\n")
		arguments, err := workflow.ReadArguments(declared, map[string]any{"symbols": row.symbols})
		if err != nil {
			t.Fatal(err)
		}
		plan := workflow.NewPlan(steps, declared, arguments, workflow.Environment{})
		if err := plan.Err(); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.step, err, row.want)
		}
	}
}
