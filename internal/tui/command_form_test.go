package tui_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// saving returns a command that asks for a horizon and shows the saved value.
func saving(saved *[]map[string]string) tui.Command {
	fields := []widget.FormField{{Name: "horizon", About: "years until the money is needed"}}
	save := func(values map[string]string) (string, error) {
		if values["horizon"] == "never" {
			return "", errors.New("a horizon is a number of years")
		}
		*saved = append(*saved, values)
		return "The profile is **saved**.", nil
	}
	return tui.Command{Name: "profile", About: "who you are", Kind: tui.KindCommand, Run: tui.TextCommand(func(string) (string, error) {
		return "", &tui.MissingInputError{Fields: fields, Show: save}
	})}
}

func TestForm_OfACommandShowsItsResultAndRunsNoTurn(t *testing.T) {
	var c tui.Conversation
	var saved []map[string]string
	onScreen(t, withCommands(&c, saving(&saved)), 80, 24, func(s *screen) {
		s.ask("/profile")
		s.shows("1 of 1", "horizon")
		s.write("never")
		s.press("enter", "enter")
		s.shows("a horizon is a number of years", "horizon")
		for range "never" {
			s.press("backspace")
		}
		s.write("10")
		s.press("enter", "enter")
		s.shows("The profile is saved.")
		s.showsNot("1 of 1")
		if diff := cmp.Diff([]map[string]string{{"horizon": "10"}}, saved); diff != "" {
			t.Fatalf("saved (-want +got):\n%s", diff)
		}
		if sent := inputs(c); len(sent) != 0 {
			t.Fatalf("sent %q, want no turn", sent)
		}
	})
}

func TestForm_OfACommandSavesNothingIfCanceled(t *testing.T) {
	var c tui.Conversation
	var saved []map[string]string
	onScreen(t, withCommands(&c, saving(&saved)), 80, 24, func(s *screen) {
		s.ask("/profile")
		s.write("10")
		s.press("esc")
		s.shows("/profile")
		s.showsNot("1 of 1")
		if len(saved) != 0 {
			t.Fatalf("saved %v, want nothing", saved)
		}
	})
}

func TestForm_OfACommandWaitsForTheAnswer(t *testing.T) {
	var c tui.Conversation
	var saved []map[string]string
	onScreen(t, withCommands(&c, saving(&saved)), 80, 24, func(s *screen) {
		c.(*scripted).turns = []turnFunc{hangsFor(time.Minute)}
		s.ask("a question")
		s.ask("/profile")
		s.shows("queued  /profile")
		s.showsNot("1 of 1")
		s.wait(time.Minute)
		s.shows("1 of 1")
	})
}
