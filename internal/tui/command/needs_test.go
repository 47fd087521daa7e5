package command_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/command"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

var errRefused = errors.New("refused")

func fields(names ...string) []form.Field {
	var out []form.Field
	for _, n := range names {
		out = append(out, form.Field{Name: n})
	}
	return out
}

// answers makes a Fill that gives what it is given.
func answers(input agent.Input, err error) func(map[string]string) (agent.Input, error) {
	return func(map[string]string) (agent.Input, error) { return input, err }
}

func TestNeeds_OnlyWhatCanBeGivenIsAskedFor(t *testing.T) {
	good := &command.NeedsError{Fields: fields("symbol"), Fill: answers(agent.Input{}, nil)}
	if got := command.Needs(fmt.Errorf("preparing: %w", good)); got != good {
		t.Errorf("a wrapped error that asks = %v, want itself", got)
	}
	for name, err := range map[string]error{
		"no error":      nil,
		"another error": errRefused,
		"no fields":     &command.NeedsError{Fill: answers(agent.Input{}, nil)},
		"nobody to ask": &command.NeedsError{Fields: fields("symbol")},
	} {
		if got := command.Needs(err); got != nil {
			t.Errorf("%s asks for %v, want nothing", name, got)
		}
	}
}

func TestForm_ATurnThatNamesNoTextIsTheLineThatWasSent(t *testing.T) {
	for sent, want := range map[string]string{"": "/compare", "compare VTI": "compare VTI"} {
		needs := &command.NeedsError{Fields: fields("symbol"), Fill: answers(agent.Input{Text: sent}, nil)}
		asked := needs.Form("compare", "/compare")
		if asked.Title != "compare" || asked.Verb != "run" {
			t.Errorf("the form is %q and its last key does %q, want compare and run", asked.Title, asked.Verb)
		}
		a := asked.Fill(nil)
		if a.Err != nil || a.Again != nil || a.Done.Turn == nil || a.Done.Turn.Text != want {
			t.Errorf("a turn of %q came to %+v, want the text %q", sent, a, want)
		}
	}
}

func TestForm_WhatIsShownRunsNoTurn(t *testing.T) {
	needs := &command.NeedsError{Title: "Profile", Fields: fields("age"), Shown: func(values map[string]string) (string, error) {
		return "you are " + values["age"], nil
	}}
	asked := needs.Form("profile", "/profile")
	if asked.Title != "Profile" || asked.Verb != "save" {
		t.Errorf("the form is %q and its last key does %q, want Profile and save", asked.Title, asked.Verb)
	}
	a := asked.Fill(map[string]string{"age": "40"})
	if a.Err != nil || a.Again != nil || a.Done.Turn != nil || a.Done.Shown != "you are 40" {
		t.Errorf("came to %+v, want words alone", a)
	}
}

func TestForm_ValuesThatWillNotDoAreAskedForAgainOrRefused(t *testing.T) {
	again := &command.NeedsError{Fields: fields("range"), Fill: answers(agent.Input{Text: "all of it"}, nil)}
	needs := &command.NeedsError{Title: "Compare", Fields: fields("symbol"), Fill: answers(agent.Input{}, fmt.Errorf("comparing: %w", again))}
	a := needs.Form("compare", "/compare").Fill(nil)
	if a.Again == nil || len(a.Again.Fields) != 1 || a.Again.Fields[0].Name != "range" || a.Again.Title != "Compare" {
		t.Fatalf("came to %+v, want the range to be asked for under the same title", a)
	}
	if b := a.Again.Fill(nil); b.Done.Turn == nil || b.Done.Turn.Text != "all of it" {
		t.Errorf("the second form came to %+v, want its turn", b)
	}
	refused := &command.NeedsError{Fields: fields("symbol"), Fill: answers(agent.Input{Text: "never"}, errRefused)}
	if a := refused.Form("compare", "/compare").Fill(nil); !errors.Is(a.Err, errRefused) {
		t.Errorf("came to %+v, want the refusal", a)
	}
}
