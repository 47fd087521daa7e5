package tui_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
)

// working is a chat whose /compact runs for d, unless it is stopped.
func working(c *tui.Conversation, takes time.Duration, fails error) func() tui.Config {
	return func() tui.Config {
		cfg := talk(turnAnswering("Fine."), turnAnswering("Fine again."))()
		*c = cfg.Conversation
		cfg.Commands = []tui.Command{{Name: "compact", RunTask: func(ctx context.Context, args string) (string, error) {
			select {
			case <-time.After(takes):
				return "Made room " + args + ".", fails
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}}}
		return cfg
	}
}

func TestTask_EscStopsItAndNothingElse(t *testing.T) {
	var c tui.Conversation
	onScreen(t, working(&c, time.Hour, nil), 80, 24, func(s *screen) {
		s.ask("/compact")
		s.wait(2 * time.Second)
		s.shows("/compact · 2 s", "Esc stops")
		s.press("esc")
		s.wait(100 * time.Millisecond)
		s.shows("/compact stopped. Nothing was changed.")
		s.showsNot("Esc stops", "canceled")
		s.ask("hi")
		s.shows("Fine.")
	})
}

func TestTask_TheWindowTitleShowsThatItRuns(t *testing.T) {
	var c tui.Conversation
	onScreen(t, working(&c, time.Hour, nil), 80, 24, func(s *screen) {
		s.ask("/compact")
		if got := s.model.View().WindowTitle; got != "● nfa" {
			t.Errorf("while it is at work the title is %q, want %q", got, "● nfa")
		}
		s.press("esc")
		s.wait(100 * time.Millisecond)
		if got := s.model.View().WindowTitle; got != "nfa" {
			t.Errorf("once it was stopped the title is %q, want %q", got, "nfa")
		}
	})
}

func TestTask_MessagesWaitForItsEnd(t *testing.T) {
	var c tui.Conversation
	onScreen(t, working(&c, time.Second, nil), 80, 24, func(s *screen) {
		s.ask("/compact now")
		s.ask("hi")
		s.shows("queued  hi")
		s.wait(2 * time.Second)
		s.shows("Made room now.", "Fine.")
		s.showsNot("queued")
		if diff := cmp.Diff([]string{"hi"}, inputs(c)); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestTask_WaitsForTheRunningTurn(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := working(new(tui.Conversation), time.Second, nil)()
		cfg.Conversation = talk(func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
			time.Sleep(time.Minute)
			return turnAnswering("Slow.")(ctx, in, say)
		})().Conversation
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("hi")
		s.ask("/compact later")
		s.shows("queued  /compact later")
		s.wait(time.Minute)
		s.shows("Slow.", "/compact", "Esc stops")
		s.wait(time.Second)
		s.shows("Made room later.")
		s.showsNot("Esc stops")
	})
}

func TestTask_AnErrorIsShownAndReturnsTheQueue(t *testing.T) {
	var c tui.Conversation
	onScreen(t, working(&c, time.Second, errors.New("the model is away")), 80, 24, func(s *screen) {
		s.ask("/compact")
		s.ask("hi")
		s.wait(2 * time.Second)
		s.shows("✗ the model is away", "> hi")
		if len(inputs(c)) != 0 {
			t.Errorf("sent %q after a failure, want it in the composer", inputs(c))
		}
	})
}

func TestTask_ClearStopsItFirst(t *testing.T) {
	var c tui.Conversation
	onScreen(t, working(&c, time.Hour, nil), 80, 24, func(s *screen) {
		s.ask("/compact")
		s.ask("/clear")
		s.wait(100 * time.Millisecond)
		s.shows("Connect a model")
		s.showsNot("/compact", "Esc stops")
	})
}
