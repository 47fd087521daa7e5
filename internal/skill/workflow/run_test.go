package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

const compareSkill = `
parameters:
  - {name: symbols, required: true}
  - {name: range, default: 5y}
steps:
  - {id: history, tool: price_history, with: {symbols: "{{symbols}}", range: "{{range}}"}}
  - {id: stats, tool: returns_stats, with: {symbols: "{{symbols}}", since: "{{steps.history.bars[0].date}}"}}
  - id: table
    python: scripts/table.py
    input: {stats: "{{steps.stats}}", title: "{{symbols}} since {{steps.history.bars[0].date}}"}
  - {id: total, code: "print('{{symbols}}')"}
`

func TestK30_StepsRunInOrderWithTheResultsBeforeThem(t *testing.T) {
	p := newPlan(t, compareSkill, map[string]any{"symbols": "AAPL"})
	c := &fakeCaller{results: map[string]string{"history": `{"bars": [{"date": "2017-06-30"}]}`, "stats": `{"annual": 12.30}`, "table": `"| a |"`}}
	results, err := workflow.Run(context.Background(), p, c)
	if err != nil {
		t.Fatal(err)
	}
	want := []workflow.Call{
		{Step: "history", Tool: "price_history", Arguments: json.RawMessage(`{"range":"5y","symbols":"AAPL"}`)},
		{Step: "stats", Tool: "returns_stats", Arguments: json.RawMessage(`{"since":"2017-06-30","symbols":"AAPL"}`)},
		{Step: "table", Tool: "python", Python: "scripts/table.py", Arguments: json.RawMessage(`{"stats":{"annual":12.30},"title":"AAPL since 2017-06-30"}`)},
		{Step: "total", Tool: "python", Code: "print('{{symbols}}')", Arguments: json.RawMessage(`{}`)},
	}
	if diff := cmp.Diff(want, c.made); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if len(results) != 4 {
		t.Fatalf("%d results, want one for each step", len(results))
	}
	for i, r := range results {
		if diff := cmp.Diff(want[i], r.Call); diff != "" || r.Step.ID != r.Call.Step || r.Err != nil {
			t.Errorf("result %d of step %s, %v; its call (-want +got):\n%s", i, r.Step.ID, r.Err, diff)
		}
	}
	if got := string(results[3].Output); got != "null" {
		t.Errorf("the output of a step that gives none = %q, want null", got)
	}
}

func TestRun_GoesOnAfterAnOptionalStepThatFails(t *testing.T) {
	p := newPlan(t, "\nsteps:\n  - {id: news, tool: news, optional: true}\n  - {id: price, tool: quote}\n", nil)
	c := &fakeCaller{fail: map[string]error{"news": errors.New("no answer")}}
	results, err := workflow.Run(t.Context(), p, c)
	if err != nil || len(results) != 2 || results[0].Err == nil || results[1].Err != nil {
		t.Errorf("Run = %+v, %v; want the error of news and the price", results, err)
	}
}

func TestK33_AFailingStepEndsTheRunAndKeepsWhatWasDone(t *testing.T) {
	p := newPlan(t, compareSkill, map[string]any{"symbols": "AAPL"})
	c := &fakeCaller{
		results: map[string]string{"history": `{"bars": [{"date": "d"}]}`, "stats": `{"so": "far"}`},
		fail:    map[string]error{"stats": fmt.Errorf("reading: %w", fs.ErrNotExist)},
	}
	results, err := workflow.Run(context.Background(), p, c)
	var failed *workflow.StepError
	if !errors.As(err, &failed) || failed.Step != "stats" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Run = %v, want a StepError of stats that holds its cause", err)
	}
	if want := "step stats: reading: file does not exist"; err == nil || err.Error() != want {
		t.Errorf("the error reads %v, want %s", err, want)
	}
	if c.order() != "history stats" {
		t.Errorf("calls = %s, want none after the failure", c.order())
	}
	if len(results) != 2 || string(results[0].Output) == "" || results[0].Err != nil || !errors.Is(results[1].Err, fs.ErrNotExist) || string(results[1].Output) != `{"so": "far"}` {
		t.Errorf("results = %+v, want the first whole and the second with its error", results)
	}
}

func TestK33_AStepWhoseArgumentsCannotBePutInIsNotCalled(t *testing.T) {
	p := newPlan(t, compareSkill, map[string]any{"symbols": "AAPL"})
	c := &fakeCaller{results: map[string]string{"history": `{"bars": []}`}}
	results, err := workflow.Run(context.Background(), p, c)
	var failed *workflow.StepError
	if !errors.As(err, &failed) || failed.Step != "stats" || c.order() != "history" {
		t.Errorf("Run = %v after calls of %s, want stats to fail before its call", err, c.order())
	}
	if len(results) != 2 || results[1].Err == nil {
		t.Errorf("results = %+v, want the failed step last", results)
	}
}

func TestRun_AResultThatIsNotJSONFailsItsOwnStep(t *testing.T) {
	for _, output := range []string{"{", "1 2", "NaN", "'x'", `{"a":1,}`} {
		p := newPlan(t, "steps: [{id: a, tool: quote}, {id: b, tool: quote}]", nil)
		c := &fakeCaller{results: map[string]string{"a": output}}
		results, err := workflow.Run(context.Background(), p, c)
		if err == nil || err.Error() != "step a: the result is not JSON" || len(results) != 1 || string(results[0].Output) != output {
			t.Errorf("a result of %s: %v with %+v, want step a to fail and its output kept", output, err, results)
		}
	}
}

func TestRun_APlanWithProblemsIsNotBegun(t *testing.T) {
	c := &fakeCaller{}
	results, err := workflow.Run(context.Background(), newPlan(t, compareSkill, nil), c)
	var refused *workflow.PlanError
	if !errors.As(err, &refused) || len(results)+len(c.made) > 0 {
		t.Errorf("Run = %v, %v after %d calls, want an Error and none", results, err, len(c.made))
	}
}

func TestRun_NoStepsAreNoFailure(t *testing.T) {
	results, err := workflow.Run(context.Background(), workflow.NewPlan(nil, nil, workflow.Arguments{}, workflow.Environment{}), &fakeCaller{})
	if err != nil || len(results) != 0 {
		t.Errorf("Run = %v, %v, want nothing done", results, err)
	}
}

func TestRun_APlanNotMadeHereIsNotRunOnItsTemplates(t *testing.T) {
	p := workflow.Plan{Steps: []workflow.PlannedStep{{Step: workflow.Step{ID: "a", Tool: "quote", With: map[string]any{"x": "{{symbol}}"}}}}}
	c := &fakeCaller{}
	_, err := workflow.Run(context.Background(), p, c)
	if !errors.As(err, new(*workflow.StepError)) || len(c.made) > 0 {
		t.Errorf("Run = %v after %d calls, want the step to fail before its call", err, len(c.made))
	}
}

// The call is exactly what was confirmed.
func TestK32_ACompleteStepIsCalledWithTheVeryBytesPlanned(t *testing.T) {
	p := newPlan(t, `
parameters: [note]
steps:
  - {id: a, tool: quote, with: {b: 0.1, a: "{{note}}", html: "<b>&"}}
  - {id: b, tool: quote, with: {x: "{{note}} {{steps.a}}"}}
`, map[string]any{"note": "{{steps.a}}"})
	c := &fakeCaller{results: map[string]string{"a": `"secret"`}}
	if _, err := workflow.Run(context.Background(), p, c); err != nil {
		t.Fatal(err)
	}
	planned := string(p.Steps[0].Arguments)
	if got := c.argumentsOf(t, "a"); !p.Steps[0].Complete || got != planned || planned != `{"a":"{{steps.a}}","b":0.1,"html":"<b>&"}` {
		t.Errorf("planned %s, called with %s, complete %v", planned, got, p.Steps[0].Complete)
	}
	if got := c.argumentsOf(t, "b"); got != `{"x":"{{steps.a}} secret"}` {
		t.Errorf("called with %s, want the parameter's value left alone", got)
	}
}

func TestRun_CancellationIsSeenBeforeEachStep(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := newPlan(t, "steps: [{id: a, tool: quote}, {id: b, tool: quote}, {id: c, tool: quote}]", nil)
	c := &fakeCaller{before: func(call workflow.Call) {
		if call.Step == "b" {
			cancel()
		}
	}}
	results, err := workflow.Run(ctx, p, c)
	if !errors.Is(err, context.Canceled) || errors.As(err, new(*workflow.StepError)) || c.order() != "a b" || len(results) != 2 || results[1].Err != nil {
		t.Errorf("Run = %+v, %v after %s, want a and b done and the context's error", results, err, c.order())
	}
	results, err = workflow.Run(ctx, p, c)
	if !errors.Is(err, context.Canceled) || len(results) != 0 {
		t.Errorf("Run when it is over already = %+v, %v, want nothing done", results, err)
	}
}

func TestRun_CancellationWithinAStepEndsTheRunWithTheContextsError(t *testing.T) {
	for name, cause := range map[string]error{
		"the context's own error":    context.Canceled,
		"wrapped":                    fmt.Errorf("quote: %w", context.Canceled),
		"what the victim had to say": errors.New("signal: killed"),
	} {
		ctx, cancel := context.WithCancel(context.Background())
		p := newPlan(t, "steps: [{id: a, tool: quote}, {id: b, tool: quote}]", nil)
		c := &fakeCaller{before: func(workflow.Call) { cancel() }, fail: map[string]error{"a": cause}}
		results, err := workflow.Run(ctx, p, c)
		if !errors.Is(err, context.Canceled) || errors.As(err, new(*workflow.StepError)) || len(results) != 1 || !errors.Is(results[0].Err, cause) {
			t.Errorf("%s: Run = %+v, %v, want the context's error and the step kept", name, results, err)
		}
	}
}

// A tool's own timeout does not end the run's context.
func TestRun_AStepsOwnDeadlineIsItsFailure(t *testing.T) {
	p := newPlan(t, "steps: [{id: a, tool: quote}]", nil)
	_, err := workflow.Run(context.Background(), p, &fakeCaller{fail: map[string]error{"a": context.DeadlineExceeded}})
	if !errors.As(err, new(*workflow.StepError)) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Run = %v, want a StepError that holds the deadline", err)
	}
}

// Thirty steps that each use the previous result twice would need a billion copies of the first.
func TestRun_ArgumentsDoNotDoubleThemselvesToAnySize(t *testing.T) {
	var yaml strings.Builder
	yaml.WriteString("steps:\n  - {id: s0, tool: echo, with: {x: 0123456789}}\n")
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&yaml, "  - {id: s%d, tool: echo, with: {x: \"{{steps.s%d}}\", z: \"{{steps.s%d}}\"}}\n", i, i-1, i-1)
	}
	echo := callerFunc(func(c workflow.Call) (json.RawMessage, error) { return c.Arguments, nil })
	results, err := workflow.Run(context.Background(), newPlan(t, yaml.String(), nil), echo)
	if err == nil || !strings.Contains(err.Error(), "the arguments are larger than 8 MB") {
		t.Errorf("Run = %v after %d steps, want it ended by the limit", err, len(results))
	}
}

type callerFunc func(workflow.Call) (json.RawMessage, error)

func (f callerFunc) Call(_ context.Context, c workflow.Call) (json.RawMessage, error) { return f(c) }
