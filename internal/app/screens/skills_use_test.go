package screens_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

const compareSkill = `---
name: compare
description: Compares
parameters:
  - {name: symbols, type: string, required: true}
  - {name: range, type: enum, enum: [1y, 5y], default: 5y}
---
Compare {{symbols}} over {{range}} for $1,000.
`

// skillsIn returns the skills of a home that has one skill, compare.
func skillsIn(t *testing.T) screens.Skills {
	t.Helper()
	dir := t.TempDir()
	own := filepath.Join(dir, "skills")
	if err := os.MkdirAll(filepath.Join(own, "compare"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "compare", skill.FileName), []byte(compareSkill), 0o600); err != nil {
		t.Fatal(err)
	}
	decided, err := skill.OpenState(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	registry := skill.Open(skill.Options{Roots: []skill.Root{{Dir: own, Source: skill.SourceUser, Create: true}}, Log: zerolog.Nop()})
	return screens.Skills{App: &app.App{Skills: &app.Skills{
		Registry: registry, State: decided,
		Library: library.New(library.Options{
			Dir: own, Registry: registry, State: decided, Agent: skilltest.Agent{Router: router}, Python: func() *python.Runner { return nil },
			AllTools: func() *tool.Router { return router }, Now: time.Now, Log: zerolog.Nop(),
		}),
	}}}
}

func TestK21_AFormAsksForWhatIsMissingAndSendsWhatWasFilledIn(t *testing.T) {
	commands := skillsIn(t).Commands()
	if len(commands) != 1 || commands[0].Name != "compare" {
		t.Fatalf("commands = %+v, want compare", commands)
	}
	_, err := commands[0].Prepare("range=7y")
	var form *tui.MissingInputError
	if !errors.As(err, &form) || len(form.Fields) != 2 || form.Fields[1].Problem == "" {
		t.Fatalf("Prepare = %v, want a form with both fields and what is wrong with one", err)
	}
	_, err = form.Fill(map[string]string{"symbols": "", "range": "7y"})
	if !errors.As(err, &form) || len(form.Fields) != 2 {
		t.Fatalf("Fill = %v, want the form again with both fields", err)
	}
	if form.Fields[0].Problem == "" || form.Fields[1].Problem == "" || form.Fields[1].Value != "7y" {
		t.Errorf("fields = %+v, want a problem at each and what was typed", form.Fields)
	}
	in, err := form.Fill(map[string]string{"symbols": "AAPL MSFT", "range": ""})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(in.ForModel, "Compare AAPL MSFT over 5y for $1,000.") {
		t.Errorf("the model reads %q", in.ForModel)
	}
	if in.Text != `/compare symbols="AAPL MSFT"` || in.Skill != "compare" {
		t.Errorf("the transcript shows %q of skill %q", in.Text, in.Skill)
	}
	declared := []workflow.Parameter{{Name: "symbols", Type: "string", Required: true}, {Name: "range", Type: "enum", Enum: []string{"1y", "5y"}, Default: "5y"}}
	again, err := workflow.ParseArguments(declared, strings.TrimPrefix(in.Text, "/compare "))
	if err != nil || again.Values["symbols"].Text != "AAPL MSFT" {
		t.Errorf("typed again it reads as %+v, %v", again, err)
	}
}

// TestSkills_OneThatIsSwitchedOffIsListedAndNoCommand checks that a disabled skill is in the list
// and cannot be started.
func TestSkills_OneThatIsSwitchedOffIsListedAndNoCommand(t *testing.T) {
	s := skillsIn(t)
	screen := s.Screen()
	off := slices.IndexFunc(screen.Actions, func(a tui.ListAction) bool { return a.Name == "disable" })
	if _, err := screen.Actions[off].Run("compare"); err != nil {
		t.Fatal(err)
	}
	items := screen.Items()
	if len(items) != 1 || !slices.Contains(items[0].Marks, "disabled") || screen.Actions[off].AppliesTo(items[0]) {
		t.Errorf("items = %+v, want compare marked as disabled, and not to be disabled again", items)
	}
	if commands := s.Commands(); len(commands) != 0 {
		t.Errorf("commands = %+v, want none", commands)
	}
}
