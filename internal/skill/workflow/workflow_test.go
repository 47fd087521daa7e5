package workflow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// parseSkill parses front matter as a skill does.
func parseSkill(t testing.TB, yaml string) ([]workflow.Step, []workflow.Parameter) {
	t.Helper()
	matter, err := frontmatter.Read([]byte(yaml), 1)
	if err != nil {
		t.Fatalf("reading %q: %v", yaml, err)
	}
	f := frontmatter.Fields{Matter: matter}
	declared := workflow.ReadParameters(&f, "parameters")
	steps := workflow.ReadSteps(&f)
	if len(f.Warnings) > 0 {
		t.Fatalf("warnings of %q = %q", yaml, f.Warnings)
	}
	return steps, declared
}

// newPlan returns the plan of a workflow with parameter values, in an empty environment.
func newPlan(t testing.TB, yaml string, given map[string]any) workflow.Plan {
	t.Helper()
	return newPlanIn(t, workflow.Environment{}, yaml, given)
}

func newPlanIn(t testing.TB, w workflow.Environment, yaml string, given map[string]any) workflow.Plan {
	t.Helper()
	steps, declared := parseSkill(t, yaml)
	a, err := workflow.ReadArguments(declared, given)
	if bad := new(workflow.ArgumentError); errors.As(err, &bad) && len(bad.Invalid)+len(bad.Other) > 0 {
		t.Fatal(err)
	}
	return workflow.NewPlan(steps, declared, a, w)
}

// fakeCaller is a Caller that returns results by step and records calls.
type fakeCaller struct {
	results map[string]string // JSON; null for other steps
	fail    map[string]error
	before  func(workflow.Call)
	made    []workflow.Call
}

func (c *fakeCaller) Call(_ context.Context, call workflow.Call) (json.RawMessage, error) {
	if c.before != nil {
		c.before(call)
	}
	c.made = append(c.made, call)
	return json.RawMessage(c.results[call.Step]), c.fail[call.Step]
}

// argumentsOf returns the arguments of the call for a step.
func (c *fakeCaller) argumentsOf(t testing.TB, step string) string {
	t.Helper()
	i := slices.IndexFunc(c.made, func(call workflow.Call) bool { return call.Step == step })
	if i < 0 {
		t.Fatalf("no call for step %s among %v", step, c.made)
	}
	return string(c.made[i].Arguments)
}

// order returns the steps called.
func (c *fakeCaller) order() string {
	var ids []string
	for _, call := range c.made {
		ids = append(ids, call.Step)
	}
	return strings.Join(ids, " ")
}

// passArgument runs a step with argument, written in YAML, after a step "a" with the result, and
// returns its arguments.
func passArgument(t testing.TB, argument, result string, given map[string]any) (string, error) {
	t.Helper()
	p := newPlan(t, fmt.Sprintf(twoSteps, argument), given)
	c := &fakeCaller{results: map[string]string{"a": result}}
	if _, err := workflow.Run(context.Background(), p, c); err != nil {
		return "", err
	}
	return c.argumentsOf(t, "b"), nil
}

const twoSteps = `
parameters:
  - {name: symbol, type: symbol}
  - {name: amount, type: number}
  - {name: years, type: integer}
  - {name: fee, type: percent}
  - {name: deep, type: boolean}
  - {name: note}
  - {name: other}
steps:
  - {id: a, tool: quote}
  - id: b
    tool: calculate
    with: {x: %s}
`

// compactJSON returns JSON without spaces, with digits and order unchanged.
func compactJSON(t testing.TB, raw string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(raw)); err != nil {
		t.Fatalf("%q is not JSON: %v", raw, err)
	}
	return b.String()
}

// problemTexts formats the problems, one line each.
func problemTexts(problems []workflow.Problem) []string {
	lines := []string{}
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return lines
}
