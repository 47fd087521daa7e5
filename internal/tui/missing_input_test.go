package tui_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

var errRefused = errors.New("refused")

func fieldsNamed(names ...string) []widget.FormField {
	var out []widget.FormField
	for _, n := range names {
		out = append(out, widget.FormField{Name: n})
	}
	return out
}

// fillReturning returns a Fill that returns input and err.
func fillReturning(input agent.Input, err error) func(map[string]string) (agent.Input, error) {
	return func(map[string]string) (agent.Input, error) { return input, err }
}

func TestAsMissingInput_OnlyErrorsWithFieldsAndFill(t *testing.T) {
	good := &tui.MissingInputError{Fields: fieldsNamed("symbol"), Fill: fillReturning(agent.Input{}, nil)}
	if got := tui.AsMissingInput(fmt.Errorf("preparing: %w", good)); got != good {
		t.Errorf("a wrapped error that asks = %v, want itself", got)
	}
	for name, err := range map[string]error{
		"no error":      nil,
		"another error": errRefused,
		"no fields":     &tui.MissingInputError{Fill: fillReturning(agent.Input{}, nil)},
		"nobody to ask": &tui.MissingInputError{Fields: fieldsNamed("symbol")},
	} {
		if got := tui.AsMissingInput(err); got != nil {
			t.Errorf("%s asks for %v, want nothing", name, got)
		}
	}
}

func TestForm_ATurnThatNamesNoTextIsTheLineThatWasSent(t *testing.T) {
	for sent, want := range map[string]string{"": "/compare", "compare VTI": "compare VTI"} {
		needs := &tui.MissingInputError{Fields: fieldsNamed("symbol"), Fill: fillReturning(agent.Input{Text: sent}, nil)}
		asked := needs.FormRequest("compare", "/compare")
		if asked.Title != "compare" || asked.Verb != "run" {
			t.Errorf("the form is %q and its last key does %q, want compare and run", asked.Title, asked.Verb)
		}
		a := asked.Fill(nil)
		if a.Err != nil || a.Again != nil || a.Value.Turn == nil || a.Value.Turn.Text != want {
			t.Errorf("a turn of %q came to %+v, want the text %q", sent, a, want)
		}
	}
}

func TestForm_AShownResultRunsNoTurn(t *testing.T) {
	needs := &tui.MissingInputError{Title: "Profile", Fields: fieldsNamed("age"), Show: func(values map[string]string) (string, error) {
		return "you are " + values["age"], nil
	}}
	asked := needs.FormRequest("profile", "/profile")
	if asked.Title != "Profile" || asked.Verb != "save" {
		t.Errorf("the form is %q and its last key does %q, want Profile and save", asked.Title, asked.Verb)
	}
	a := asked.Fill(map[string]string{"age": "40"})
	if a.Err != nil || a.Again != nil || a.Value.Turn != nil || a.Value.Markdown != "you are 40" {
		t.Errorf("came to %+v, want only text", a)
	}
}

func TestForm_ValuesThatWillNotDoAreAskedForAgainOrRefused(t *testing.T) {
	again := &tui.MissingInputError{Fields: fieldsNamed("range"), Fill: fillReturning(agent.Input{Text: "all of it"}, nil)}
	needs := &tui.MissingInputError{Title: "Compare", Fields: fieldsNamed("symbol"), Fill: fillReturning(agent.Input{}, fmt.Errorf("comparing: %w", again))}
	a := needs.FormRequest("compare", "/compare").Fill(nil)
	if a.Again == nil || len(a.Again.Fields) != 1 || a.Again.Fields[0].Name != "range" || a.Again.Title != "Compare" {
		t.Fatalf("came to %+v, want the range to be asked for under the same title", a)
	}
	if b := a.Again.Fill(nil); b.Value.Turn == nil || b.Value.Turn.Text != "all of it" {
		t.Errorf("the second form came to %+v, want its turn", b)
	}
	refused := &tui.MissingInputError{Fields: fieldsNamed("symbol"), Fill: fillReturning(agent.Input{Text: "never"}, errRefused)}
	if a := refused.FormRequest("compare", "/compare").Fill(nil); !errors.Is(a.Err, errRefused) {
		t.Errorf("came to %+v, want the refusal", a)
	}
}
