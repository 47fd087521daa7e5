package workflow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestK30_StepsAreReadFromFrontMatter(t *testing.T) {
	got, _ := parseSkill(t, `
steps:
  - id: history
    tool: price_history
    description: Three years of prices
    with:
      symbols: ["{{symbol}}"]
      years: 3
  - id: table-1
    title: A table
    python: ./scripts//table.py
    input: {rows: "{{steps.history}}", deep: {n: 0.5, ok: true}}
  - tool: current_time
  - code: "  # as it is\n  print('{{x}}')\n"
`)
	want := []workflow.Step{
		{ID: "history", Tool: "price_history", About: "Three years of prices", With: map[string]any{"symbols": []any{"{{symbol}}"}, "years": json.Number("3")}},
		{ID: "table-1", Python: "scripts/table.py", About: "A table", With: map[string]any{"rows": "{{steps.history}}", "deep": map[string]any{"ok": true, "n": json.Number("0.5")}}},
		{ID: "step3", Tool: "current_time"},
		{ID: "step4", Code: "  # as it is\n  print('{{x}}')\n"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if got[0].IsPython() || !got[1].IsPython() || !got[3].IsPython() {
		t.Error("IsPython does not tell scripts and code from tools")
	}
}

func TestDeclared_AMistakeStaysWithItsStep(t *testing.T) {
	for _, row := range []struct{ name, step, fault string }{
		{"no map", `quote`, "a step must be a map with tool:, python: or code:"},
		{"nothing", `~`, "a step must be a map"},
		{"calls nothing", `{id: a, with: {x: 1}}`, "the step calls nothing: add tool:, python: or code:"},
		{"an empty tool", `{tool: " "}`, "the step calls nothing"},
		{"tool and script", `{tool: quote, python: x.py}`, "the step has tool and python; use only one of them"},
		{"all three", `{tool: quote, python: x.py, code: pass}`, "the step has tool and python and code"},
		{"script and code", `{python: x.py, code: pass}`, "the step has python and code"},
		{"python as a tool", `{tool: python, with: {code: pass}}`, "Python is not a tool"},
		{"input for a tool", `{tool: quote, input: {x: 1}}`, "put tool arguments under with:, not input:"},
		{"with for Python", `{code: pass, with: {x: 1}}`, "put Python input under input:, not with:"},
		{"arguments as a list", `{tool: quote, with: [x]}`, "with is not a map"},
		{"arguments as text", `{code: pass, input: x}`, "input is not a map"},
		{"a tool as a list", `{tool: [quote]}`, "tool is not text"},
		{"an id as a map", `{id: {a: b}, tool: quote}`, "id is not text"},
		{"an id in capitals", `{id: Price, tool: quote}`, `invalid id "Price": use 1 to 40 characters: a-z, 0-9, _ and -`},
		{"an id with a dot", `{id: a.b, tool: quote}`, `invalid id "a.b"`},
		{"a long id", `{id: ` + strings.Repeat("a", 41) + `, tool: quote}`, "use 1 to 40 characters:"},
		{"a condition", `{tool: quote, if: "{{x}}"}`, `unknown key "if"`},
		{"other words", `{tool: quote, args: {}}`, `unknown key "args"; a step has id`},
		{"an absolute script", `{python: /etc/x.py}`, `"/etc/x.py" is not a file path inside the skill folder`},
		{"a script outside", `{python: scripts/../../x.py}`, "inside the skill folder"},
		{"a drive", `{python: "C:x.py"}`, "inside the skill folder"},
		{"backslashes", `{python: '..\x.py'}`, "inside the skill folder"},
		{"the directory itself", `{python: scripts/..}`, "inside the skill folder"},
		{"several at once", `{id: A, if: x, with: [x]}`, "the step calls nothing: add tool:, python: or code:; with is not a map; unknown key"},
	} {
		t.Run(row.name, func(t *testing.T) {
			steps, declared := parseSkill(t, "steps:\n  - "+row.step+"\n  - {id: good, tool: quote}\n")
			if len(steps) != 2 || !strings.Contains(steps[0].Fault, row.fault) || steps[1].Fault != "" {
				t.Fatalf("steps = %+v, want the first with the fault %q", steps, row.fault)
			}
			want := []string{"step " + steps[0].ID + ": " + steps[0].Fault}
			if diff := cmp.Diff(want, problemTexts(checkSteps(steps, declared))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeclared_EveryStepHasAnIDOfItsOwn(t *testing.T) {
	steps, _ := parseSkill(t, `
steps:
  - {tool: quote}
  - {id: a, tool: quote}
  - {id: a, tool: quote}
  - {id: step1, tool: quote}
  - {id: step6, tool: quote}
  - {id: "A B", tool: quote}
  - {id: 7, tool: quote}
`)
	var ids, faulty []string
	for _, s := range steps {
		ids = append(ids, s.ID)
		if s.Fault != "" {
			faulty = append(faulty, s.ID+": "+s.Fault)
		}
	}
	if diff := cmp.Diff([]string{"step1_", "a", "step3", "step1", "step6", "step6_", "7"}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	want := []string{"step3: id a is already used by step 2", `step6_: invalid id "A B": use 1 to 40 characters: a-z, 0-9, _ and -`}
	if diff := cmp.Diff(want, faulty); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestDeclared_FiftyStepsAreTheMost(t *testing.T) {
	for count, faults := range map[int]int{50: 0, 51: 1, 1500: 1} {
		steps, declared := parseSkill(t, "steps:\n"+strings.Repeat("  - {tool: quote}\n", count))
		problems := checkSteps(steps, declared)
		if len(steps) != min(count, 51) || len(problems) != faults {
			t.Errorf("%d steps: %d read, problems %v, want %d", count, len(steps), problems, faults)
		}
		if want := fmt.Sprintf("too many steps: %d; a workflow has at most 50", count); faults > 0 && problems[0].Message != want {
			t.Errorf("%d steps: %q, want %q", count, problems[0].Message, want)
		}
	}
}

func TestDeclared_WhatIsNoListIsNoWorkflow(t *testing.T) {
	for value, warning := range map[string]string{"text": "steps is not a list and was ignored", "{a: b}": "steps is not a list and was ignored", "[]": "", "~": ""} {
		matter, err := frontmatter.Read([]byte("steps: "+value), 1)
		if err != nil {
			t.Fatal(err)
		}
		f := frontmatter.Fields{Matter: matter}
		steps := workflow.ReadSteps(&f)
		if steps != nil || strings.Join(f.Warnings, "") != warning || f.Unread() != nil {
			t.Errorf("steps: %s = %v with warnings %q, want none with %q", value, steps, f.Warnings, warning)
		}
	}
}
