package tui_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// steps returns a command with two forms, both of which can be canceled. It then shows the values.
func steps(saved *[]string) *tui.Command {
	last := func() (string, error) { return "All is said: " + strings.Join(*saved, ", ") + ".", nil }
	second := func() (string, error) {
		return "", &tui.MissingInputError{
			Title: "Step two", Fields: []widget.FormField{{Name: "currency"}}, OnCancel: last,
			Show: func(values map[string]string) (string, error) {
				*saved = append(*saved, values["currency"])
				return last()
			},
		}
	}
	return &tui.Command{Name: "steps", Run: tui.TextCommand(func(string) (string, error) {
		return "", &tui.MissingInputError{
			Title: "Step one", Fields: []widget.FormField{{Name: "key", Secret: true}, {Name: "model"}}, OnCancel: last,
			Show: func(values map[string]string) (string, error) {
				if values["key"] == "" {
					return "", errors.New("a key is needed here")
				}
				*saved = append(*saved, "key of "+values["model"])
				return second()
			},
		}
	})}
}

func firstSteps(saved *[]string) func() tui.Config {
	return func() tui.Config {
		cfg := talk(turnAnswering("Fine."))()
		cfg.Commands, cfg.Message = []tui.Command{*steps(saved)}, "/steps"
		return cfg
	}
}

func TestFirstMessage_MayBeACommandWhoseFormIsShownBeforeAnythingIsTyped(t *testing.T) {
	var saved []string
	onScreen(t, firstSteps(&saved), 80, 24, func(s *screen) {
		s.shows("Step one", "1 of 2", "Esc cancel")
		s.write("sk-canary-1234567890")
		s.press("enter")
		s.write("openai")
		s.press("enter")
		s.shows("Step two")
		s.write("EUR")
		s.press("enter")
		s.shows("All is said: key of openai, EUR.")
		s.ask("What does AAPL cost?")
		s.shows("Fine.")
	})
}

func TestFirstMessage_MayBeACommandEscCancelsAllSteps(t *testing.T) {
	var saved []string
	onScreen(t, firstSteps(&saved), 80, 24, func(s *screen) {
		s.shows("Step one", "Esc cancel")
		s.press("esc")
		s.shows("All is said: .")
		s.showsNot("Step one", "Step two")
		s.ask("What does AAPL cost?")
		s.shows("Fine.")
	})
	if len(saved) != 0 {
		t.Errorf("left, and said %q", saved)
	}
}

func TestForm_OfASecretOnlyTheLastFourCharactersAreDrawn(t *testing.T) {
	var saved []string
	onScreen(t, firstSteps(&saved), 80, 24, func(s *screen) {
		for i, letter := range "sk-canary" {
			s.write(string(letter))
			s.shows("key    " + strings.Repeat("•", i+1))
			if c := s.model.View().Cursor; c == nil || c.X != len(" › key    ")-2+i+1 {
				t.Fatalf("cursor after %d letters = %+v", i+1, c)
			}
		}
		s.write("-1234567890")
		s.press("tab")
		s.shows(strings.Repeat("•", 16) + "7890")
		s.showsNot("canary", "67890", strings.Repeat("•", 17))
		s.press("ctrl+r")
		s.shows("Step two")
		s.showsNot("canary")
	})
}

func TestReducedMotion_NothingMovesButTheTime(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := talk(hangs("So far"))()
		cfg.ReducedMotion = true
		return cfg
	}, 80, 24, func(s *screen) {
		if c := s.model.View().Cursor; c == nil || c.Blink {
			t.Errorf("cursor = %+v, want one that does not blink", c)
		}
		s.ask("go")
		before := s.view()
		s.wait(500 * time.Millisecond)
		if after := s.view(); after != before {
			t.Errorf("something moved:\n%s\nbefore:\n%s", after, before)
		}
		// Chat, section 10: the seconds change every 5 s.
		s.wait(4 * time.Second)
		if after := s.view(); after != before {
			t.Errorf("after 4.5 s something moved:\n%s\nbefore:\n%s", after, before)
		}
		s.wait(3 * time.Second)
		s.shows("● writing · 5 s")
	})
}

func TestMotion_TheSpinnerAndTheCursorMoveUnlessAskedNotTo(t *testing.T) {
	onScreen(t, talk(hangs("So far")), 80, 24, func(s *screen) {
		if c := s.model.View().Cursor; c == nil || !c.Blink {
			t.Errorf("cursor = %+v, want one that blinks", c)
		}
		s.ask("go")
		before := s.view()
		s.wait(130 * time.Millisecond)
		if s.view() == before {
			t.Error("the spinner does not move")
		}
	})
}
