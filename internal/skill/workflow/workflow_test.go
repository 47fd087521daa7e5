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
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// skillOf reads front matter as a skill does.
func skillOf(t testing.TB, yaml string) ([]workflow.Step, []parameter.Parameter) {
	t.Helper()
	matter, err := frontmatter.Read([]byte(yaml), 1)
	if err != nil {
		t.Fatalf("reading %q: %v", yaml, err)
	}
	f := frontmatter.Fields{Matter: matter}
	declared := parameter.Declared(&f, "parameters")
	steps := workflow.Declared(&f)
	if len(f.Warnings) > 0 {
		t.Fatalf("warnings of %q = %q", yaml, f.Warnings)
	}
	return steps, declared
}

// planOf plans a workflow with values for its parameters, in an empty world.
func planOf(t testing.TB, yaml string, given map[string]any) workflow.Plan {
	t.Helper()
	return planIn(t, workflow.World{}, yaml, given)
}

func planIn(t testing.TB, w workflow.World, yaml string, given map[string]any) workflow.Plan {
	t.Helper()
	steps, declared := skillOf(t, yaml)
	a, err := parameter.Read(declared, given)
	if bad := new(parameter.Error); errors.As(err, &bad) && len(bad.Invalid)+len(bad.Other) > 0 {
		t.Fatal(err)
	}
	return workflow.NewPlan(steps, declared, a, w)
}

// calls is a Caller that answers by step, and keeps what it was asked.
type calls struct {
	results map[string]string // JSON; a step without one gets null
	fail    map[string]error
	before  func(workflow.Call)
	made    []workflow.Call
}

func (c *calls) Call(_ context.Context, call workflow.Call) (json.RawMessage, error) {
	if c.before != nil {
		c.before(call)
	}
	c.made = append(c.made, call)
	return json.RawMessage(c.results[call.Step]), c.fail[call.Step]
}

// asked gives the arguments of the call for a step.
func (c *calls) asked(t testing.TB, step string) string {
	t.Helper()
	i := slices.IndexFunc(c.made, func(call workflow.Call) bool { return call.Step == step })
	if i < 0 {
		t.Fatalf("no call for step %s among %v", step, c.made)
	}
	return string(c.made[i].Arguments)
}

// order gives the steps called.
func (c *calls) order() string {
	var ids []string
	for _, call := range c.made {
		ids = append(ids, call.Step)
	}
	return strings.Join(ids, " ")
}

// passed runs a step that takes argument, written in YAML, after a step "a" with
// the result, and gives what it was called with.
func passed(t testing.TB, argument, result string, given map[string]any) (string, error) {
	t.Helper()
	p := planOf(t, fmt.Sprintf(twoSteps, argument), given)
	c := &calls{results: map[string]string{"a": result}}
	if _, err := workflow.Run(context.Background(), p, c); err != nil {
		return "", err
	}
	return c.asked(t, "b"), nil
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

// compacted is JSON without blanks, its digits and order kept.
func compacted(t testing.TB, raw string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(raw)); err != nil {
		t.Fatalf("%q is not JSON: %v", raw, err)
	}
	return b.String()
}

// problemsOf are the problems in one line each.
func problemsOf(problems []workflow.Problem) []string {
	lines := []string{}
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return lines
}
