package tui_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tui"
)

// inputs returns the texts that the conversation received.
func inputs(c tui.Conversation) []string {
	var out []string
	for _, in := range c.(*scripted).got {
		out = append(out, in.Text)
	}
	return out
}

func TestTurn_EscKeepsWhatCame(t *testing.T) {
	onScreen(t, talk(hangs("The index rose"), turnAnswering("Fine.")), 80, 24, func(s *screen) {
		s.ask("and?")
		s.shows("The index rose", "Esc stops")
		s.press("esc")
		s.wait(100 * time.Millisecond)
		s.shows("The index rose", "! Stopped. The partial answer is kept.")
		s.showsNot("Esc stops")
		s.ask("go on")
		s.shows("Fine.")
	})
}

func TestTurn_MessagesWrittenMeanwhileAreSentAfterwards(t *testing.T) {
	release := func() (turnFunc, chan struct{}) {
		gate := make(chan struct{})
		return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
			say(agent.TextDelta{Text: "one"})
			<-gate
			return agent.TurnDone{Reason: agent.StopAnswered}, nil
		}, gate
	}
	var gate chan struct{}
	var conversation tui.Conversation
	onScreen(t, func() tui.Config {
		var first turnFunc
		first, gate = release()
		conversation = &scripted{turns: []turnFunc{first, turnAnswering("two"), turnAnswering("three")}}
		return tui.Config{Conversation: conversation}
	}, 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("second")
		s.ask("third")
		s.shows("queued  second", "queued  third")
		if diff := cmp.Diff([]string{"first"}, inputs(conversation)); diff != "" {
			t.Fatalf("sent while the turn ran (-want +got):\n%s", diff)
		}
		close(gate)
		s.wait(400 * time.Millisecond)
		s.shows("two", "three")
		s.showsNot("queued")
		if diff := cmp.Diff([]string{"first", "second", "third"}, inputs(conversation)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestTurn_QueuedMessagesComeBackWhenTheTurnIsStopped(t *testing.T) {
	onScreen(t, talk(hangs("one")), 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("second")
		s.write("draft")
		s.press("esc")
		s.wait(100 * time.Millisecond)
		s.shows("> second\n   draft")
		s.showsNot("queued")
	})
}

func TestTurn_UpTakesAQueuedMessageBack(t *testing.T) {
	onScreen(t, talk(hangs("one")), 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("second")
		s.press("up")
		s.shows("> second")
		s.showsNot("queued")
	})
}

func TestTurn_AnErrorSaysWhatToDoAndTheChatGoesOn(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := talk(fails("deepseek: 401 the key was refused"), turnAnswering("Back."))()
		cfg.ErrorAdvice = func(err error) string { return "nfa auth set deepseek" }
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("hello")
		s.shows("✗ deepseek: 401 the key was refused. nfa auth set deepseek")
		s.ask("again")
		s.shows("Back.")
	})
}

func TestTurn_CallsCutByACancelAreMarked(t *testing.T) {
	cut := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.ToolStarted{Call: llm.ToolCall{ID: "c1", Name: "backtest", Arguments: `{"years":10}`}})
		<-ctx.Done()
		return agent.TurnDone{Reason: agent.StopCancelled}, nil
	}
	onScreen(t, talk(cut), 80, 24, func(s *screen) {
		s.ask("test it")
		s.shows("● Backtest   10", "⠙ Backtest")
		s.press("esc")
		s.wait(100 * time.Millisecond)
		s.shows("! Backtest   10", "interrupted")
	})
}

func TestTurn_RetryingSaysWhy(t *testing.T) {
	retries := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.Retrying{Err: errors.New("429 too many requests"), Wait: 2 * time.Second})
		<-ctx.Done()
		return agent.TurnDone{Reason: agent.StopCancelled}, nil
	}
	onScreen(t, talk(retries), 80, 24, func(s *screen) {
		s.ask("hi")
		s.shows("retrying in 2 s: 429 too many requests")
	})
}

func TestTurn_TheFirstMessageIsSentAtOnce(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := talk(turnAnswering("Hello."))()
		cfg.Message = "good morning"
		return cfg
	}, 80, 24, func(s *screen) {
		s.wait(100 * time.Millisecond)
		s.shows("> good morning", "Hello.")
		if got := s.model.SessionID(); got != "s1" {
			t.Errorf("SessionID = %q, want s1", got)
		}
	})
}

func TestQuit_NothingSaidLeavesNothingToResume(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.write("never sent")
		if got := s.model.SessionID(); got != "" {
			t.Errorf("SessionID = %q, want none", got)
		}
	})
}

func TestQuit_CtrlCStopsTheTurnFirstAndLeavesTheSecondTime(t *testing.T) {
	onScreen(t, talk(hangs("The index")), 80, 24, func(s *screen) {
		s.ask("go")
		s.press("ctrl+c")
		s.wait(100 * time.Millisecond)
		s.shows("Stopped.", "Press Ctrl+C again to quit.")
		if s.quit {
			t.Fatal("quit at the first Ctrl+C")
		}
		s.press("ctrl+c")
		if !s.quit {
			t.Fatal("still there after the second Ctrl+C")
		}
	})
}

func TestQuit_CtrlCForgetsAfterAWhile(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.press("ctrl+c")
		s.wait(5 * time.Second)
		s.showsNot("again to quit")
		s.press("ctrl+c")
		if s.quit {
			t.Fatal("two Ctrl+C far apart quit")
		}
		s.write("x")
		s.showsNot("again to quit")
	})
}

func TestQuit_CtrlDLeavesOnlyFromAnEmptyLine(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.write("a")
		s.press("ctrl+d")
		if s.quit {
			t.Fatal("Ctrl+D quit while something was written")
		}
		s.press("backspace", "ctrl+d")
		if !s.quit {
			t.Fatal("Ctrl+D on an empty line did not quit")
		}
	})
}
