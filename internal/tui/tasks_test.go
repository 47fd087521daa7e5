package tui_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
)

// working returns a chat whose /compact runs for d, unless it is stopped.
func working(c *tui.Conversation, takes time.Duration, fails error) func() tui.Config {
	return func() tui.Config {
		cfg := talk(turnAnswering("Fine."), turnAnswering("Fine again."))()
		*c = cfg.Conversation
		cfg.Commands = []tui.Command{{Name: "compact", Run: taskCommand(func(ctx context.Context, args string) (string, error) {
			select {
			case <-time.After(takes):
				return "Made room " + args + ".", fails
			case <-ctx.Done():
				return "", ctx.Err()
			}
		})}}
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

// slowCommands returns a chat with commands that take d each. ended counts those that were not canceled.
func slowCommands(c **scripted, d time.Duration, ended *int, names ...string) func() tui.Config {
	return func() tui.Config {
		cfg := talk(turnAnswering("Fine."))()
		*c = cfg.Conversation.(*scripted)
		for _, name := range names {
			cfg.Commands = append(cfg.Commands, tui.Command{Name: name, Activity: "Checking your portfolio", StartsSession: true, Run: taskCommand(func(ctx context.Context, _ string) (string, error) {
				select {
				case <-time.After(d):
					*ended++
					return "Output of " + name + ".", nil
				case <-ctx.Done():
					return "", ctx.Err()
				}
			})})
		}
		cfg.Start = func() tui.Conversation { return &scripted{id: "s2"} }
		return cfg
	}
}

// Chat, section 5: every command is echoed and has the spinner, the elapsed time and Esc of a question.
func TestCommand_IsEchoedAndRunsLikeAQuestion(t *testing.T) {
	var c *scripted
	var ended int
	onScreen(t, slowCommands(&c, 3*time.Second, &ended, "checkup"), 80, 24, func(s *screen) {
		s.ask("/checkup now")
		s.shows("> /checkup now", "Checking your portfolio", "Esc stops")
		s.wait(2 * time.Second)
		s.shows("Checking your portfolio · 2 s")
		s.ask("hi")
		s.shows("queued  hi")
		s.wait(2 * time.Second)
		s.shows("> /checkup now", "Output of checkup.", "Fine.")
		if want := []agent.CommandRecord{{Line: "/checkup now", Output: "Output of checkup.", StartsSession: true}}; !cmp.Equal(want, c.records) {
			t.Errorf("recorded (-want +got):\n%s", cmp.Diff(want, c.records))
		}
	})
}

// Chat, section 5: /checkup, /clear, /performance, /clear sent 200 ms apart leave an empty session.
func TestCommand_ClearDropsItAndItsLateResult(t *testing.T) {
	var c *scripted
	var ended int
	onScreen(t, slowCommands(&c, 3*time.Second, &ended, "checkup", "performance"), 80, 24, func(s *screen) {
		for _, line := range []string{"/checkup", "/clear", "/performance", "/clear"} {
			s.ask(line)
			s.wait(200 * time.Millisecond)
		}
		s.wait(time.Minute)
		s.shows("Connect a model")
		s.showsNot("/checkup", "/performance", "Output of", "Esc stops")
		if ended != 0 || len(c.records) != 0 {
			t.Errorf("%d commands ran to the end, recorded %+v", ended, c.records)
		}
	})
}

func TestCommand_SentAfterClearRunsInTheNewSession(t *testing.T) {
	var c *scripted
	var ended int
	slow := slowCommands(&c, time.Second, &ended, "checkup")
	onScreen(t, func() tui.Config {
		cfg := slow()
		cfg.Conversation = talk(hangsFor(time.Minute))().Conversation // does not end at once
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("a question")
		s.ask("/checkup")
		s.ask("/clear")
		s.ask("/checkup")
		s.wait(2 * time.Minute)
		s.shows("> /checkup", "Output of checkup.")
		s.showsNot("a question")
		if ended != 1 {
			t.Errorf("%d commands ran, want the one that was sent after /clear", ended)
		}
	})
}

// A command that asks about its change waits for y or n.
func TestCommand_AsksBeforeItChanges(t *testing.T) {
	for _, row := range []struct{ key, want string }{{"y", "removed true"}, {"n", "removed false"}, {"esc", "removed false"}} {
		onScreen(t, func() tui.Config {
			cfg := talk()()
			cfg.Approvals = tui.NewApprovals()
			cfg.Commands = []tui.Command{{Name: "watchlist", Run: taskCommand(func(ctx context.Context, _ string) (string, error) {
				yes, err := cfg.Approvals.Confirm(ctx, "Remove AAPL?", []string{"removes AAPL from the watchlist"})
				return fmt.Sprintf("removed %t", yes), err
			})}}
			return cfg
		}, 60, 20, func(s *screen) {
			s.ask("/watchlist remove AAPL")
			s.shows("> /watchlist remove AAPL", "! Remove AAPL?", "removes AAPL from the watchlist", "n no   y yes")
			s.wait(time.Second)
			s.press(row.key)
			s.wait(time.Second)
			s.shows(row.want)
		})
	}
}
