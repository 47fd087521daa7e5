package skill_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestK33_ValidateNamesTheFaultsOfStepsAtTheirLines(t *testing.T) {
	got := problemsIn(t, "ab", `---
name: ab
description: d
parameters:
  - {name: symbol, required: true}
steps:
  - id: price
    tool: quote
    with: {symbol: "{{symbol}}"}

  # the next has no callee
  - id: nothing
  - tool: quote
    with:
      symbol: "{{symbl}}"
  - {id: price, tool: calculate, with: {x: "{{steps.price.last}} {{steps.last}}"}}
  - {id: last, code: "print('{{x}}')", if: "{{x}}"}
---
`)
	want := []string{
		"line 12: steps: step nothing: the step calls nothing: add tool:, python: or code:",
		"line 13: steps: step step3: {{symbl}} is neither a parameter nor a step result; did you mean {{symbol}}?",
		"line 16: steps: step step4: id price is already used by step 1",
		"line 16: steps: step step4: {{steps.last}} is out of order: step last runs later; move it before this step",
		`line 17: steps: step last: unknown key "if"; a step has id, description, optional, for_each and as, and either tool and with, or python or code and input`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestK33_StepsThatAreNoListAreBlamedAtTheirKey(t *testing.T) {
	wantProblem(t, problemsIn(t, "ab", "---\nname: ab\ndescription: d\nsteps: {tool: quote}\n---\n"), "line 4: steps: steps is not a list")
}

// If only lenient parsing succeeds, the lines of steps are unknown.
func TestK33_StepsBehindAMendableMistakeAreCheckedToo(t *testing.T) {
	got := problemsIn(t, "ab", "---\nname: ab\ndescription: Use when: asked\nsteps:\n  - tool: quote\n  - {id: b}\n---\n")
	if len(got) != 2 || got[1] != "line 4: steps: step b: the step calls nothing: add tool:, python: or code:" {
		t.Errorf("problems = %q, want the step's at the key, after that of the description", got)
	}
}

func TestK30_InputsAreHeldToTheRulesOfParameters(t *testing.T) {
	const head = "---\nname: ab\ndescription: d\n"
	got := problemsIn(t, "ab", head+"inputs:\n  - {name: fee, type: percents}\n  - {name: fee, default: [x]}\nsteps:\n  - {tool: quote, with: {x: '{{fee}}'}}\n---\n")
	want := []string{
		`line 4: inputs: parameter fee: unknown type "percents", read as text`,
		"line 4: inputs: fee is declared twice",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	wantProblem(t, problemsIn(t, "ab", head+"inputs: [a]\nparameters: [b]\n---\n"), "line 4: inputs: inputs is an alias of parameters")
	wantProblem(t, problemsIn(t, "ab", head+"inputs: [{name: a, required: perhaps}]\n---\n"), "line 4: inputs: parameter a: required is not true or false")
}

func TestValidateWith_WhatTheStepsLackInTheirEnvironmentIsBlamedAtTheirLines(t *testing.T) {
	files := skilltest.Files{"ab/SKILL.md": "---\nname: ab\ndescription: d\nsteps:\n  - {id: a, tool: gone}\n  - {id: b, python: scripts/x.py}\n---\n"}
	dir := filepath.Join(files.Write(t), "ab")
	around := func(s skill.Skill) workflow.Environment {
		if s.Name != "ab" || s.Directory != dir {
			t.Errorf("the environment of %s in %s is requested, want ab in %s", s.Name, s.Directory, dir)
		}
		return workflow.Environment{
			CheckTool:   func(name string) error { return fmt.Errorf("no tool named %s", name) },
			CheckScript: func(path string) error { return fmt.Errorf("there is no script %s", path) },
		}
	}
	var got []string
	for _, p := range skill.ValidateWith(dir, around) {
		p.Path = ""
		got = append(got, p.String())
	}
	want := []string{"line 5: steps: step a: no tool named gone", "line 6: steps: step b: there is no script scripts/x.py"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if left := skill.Validate(dir); len(left) != 0 {
		t.Errorf("Validate = %v; want the format alone looked at", left)
	}
}
