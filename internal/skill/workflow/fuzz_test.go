package workflow_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// FuzzTemplates checks that a parameter's template becomes its value, once, and everything else
// stays.
func FuzzTemplates(f *testing.F) {
	for _, text := range []string{
		"", "$1,000", "{{symbol}}", "a {{symbol}} b", "{{{symbol}}}", "{{steps.a.x[0]}}", `{{steps.a["k"]}}`, "{{", "}}", "}}{{symbol}}{{", "{{symbol}} {{nowhere}}",
		"{{steps.a", "{{ symbol }}", "{{steps.b}}", "{{steps.a.x[0]}}{{symbol}}",
	} {
		f.Add(text, `{"x": [1.50], "k": "v"}`, "AAPL")
	}
	f.Fuzz(func(t *testing.T, text, result, symbol string) {
		if !utf8.ValidString(text) || !utf8.ValidString(symbol) {
			t.Skip("a SKILL.md and what people write are UTF-8")
		}
		declared := []workflow.Parameter{{Name: "symbol"}}
		steps := []workflow.Step{{ID: "a", Tool: "t"}, {ID: "b", Tool: "t", With: map[string]any{"x": text}}}
		a := workflow.Arguments{Values: map[string]workflow.ParameterValue{"symbol": {Text: symbol, Typed: symbol}}}
		p := workflow.NewPlan(steps, declared, a, workflow.Environment{})
		for _, s := range p.Steps {
			if !json.Valid(s.Arguments) {
				t.Fatalf("planned arguments %q are not JSON", s.Arguments)
			}
		}
		c := &fakeCaller{results: map[string]string{"a": result}}
		results, err := workflow.Run(context.Background(), p, c)
		if err != nil {
			if len(p.Problems) > 0 && len(results) > 0 {
				t.Fatalf("a plan with problems was run: %v", p.Problems)
			}
			return
		}
		var got struct{ X any }
		if err := json.Unmarshal([]byte(c.argumentsOf(t, "b")), &got); err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll(text, "{{symbol}}", symbol)
		if !strings.Contains(text, "{{steps.") && got.X != want {
			t.Fatalf("%q arrived as %q, want %q", text, got.X, want)
		}
	})
}

func FuzzDeclared(f *testing.F) {
	for _, yaml := range []string{
		compareSkill, "steps: []", "steps: x", "steps: [~, 1, x, [], {}]", "steps: [{id: a, tool: b, with: {x: '{{steps.a}}'}}]", "steps: [{id: [a], tool: {b: c}, code: 5}]",
		"steps: [{tool: t, with: {? [a] : b, 1: 2, ~: 3, .nan: .inf}}]", "steps: [{python: ../x}, {id: step1, tool: t}, {tool: t}]", "parameters: [steps]\nsteps: [{code: x, input: {a: '{{steps}}'}}]",
	} {
		f.Add(yaml)
	}
	f.Fuzz(func(t *testing.T, yaml string) {
		matter, err := frontmatter.Read([]byte(yaml), 1)
		if err != nil {
			return
		}
		fields := frontmatter.Fields{Matter: matter}
		declared := workflow.ReadParameters(&fields, "parameters")
		steps := workflow.ReadSteps(&fields)
		seen := map[string]bool{}
		for _, s := range steps {
			if s.ID == "" || seen[s.ID] {
				t.Fatalf("the id %q is empty or given twice in %+v", s.ID, steps)
			}
			seen[s.ID] = true
			if s.Fault == "" && (s.Tool == "") == !s.IsPython() {
				t.Fatalf("step %+v calls nothing or two things and has no fault", s)
			}
		}
		problems := checkSteps(steps, declared)
		p := workflow.NewPlan(steps, declared, workflow.Arguments{}, workflow.Environment{})
		if len(p.Steps) != len(steps) || len(p.Problems) < len(problems) {
			t.Fatalf("%d steps planned of %d, %d problems of %d", len(p.Steps), len(steps), len(p.Problems), len(problems))
		}
		c := &fakeCaller{}
		if _, err := workflow.Run(context.Background(), p, c); len(p.Problems) > 0 && (err == nil || len(c.made) > 0) {
			t.Fatalf("ran with problems %v", p.Problems)
		}
	})
}
