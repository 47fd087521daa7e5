package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tui"
)

// inputs is what the conversation was sent.
func inputs(c tui.Conversation) []string {
	var out []string
	for _, in := range c.(*scripted).got {
		out = append(out, in.Text)
	}
	return out
}

func TestTurn_EscKeepsWhatCame(t *testing.T) {
	onScreen(t, talk(hangs("The index rose"), answers("Fine.")), 80, 24, func(s *screen) {
		s.ask("and?")
		s.shows("The index rose", "Esc stops")
		s.press("esc")
		s.wait(100 * time.Millisecond)
		s.shows("The index rose", "! cancelled; what came was kept")
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
		conversation = &scripted{turns: []turnFunc{first, answers("two"), answers("three")}}
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
		cfg := talk(fails("deepseek: 401 the key was refused"), answers("Back."))()
		cfg.Advise = func(err error) string { return "nfa auth set deepseek" }
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("hello")
		s.shows("✗ deepseek: 401 the key was refused. nfa auth set deepseek")
		s.ask("again")
		s.shows("Back.")
	})
}

func TestTurn_ReasoningIsOneLineUntilOpened(t *testing.T) {
	thinks := func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.ReasoningDelta{Text: "First I look at the price.\n"})
		say(agent.ReasoningDelta{Text: "Then at the drawdown."})
		time.Sleep(2 * time.Second)
		say(agent.TextDelta{Text: "Done."})
		return agent.TurnDone{Reason: agent.StopAnswered}, nil
	}
	onScreen(t, talk(thinks), 80, 24, func(s *screen) {
		s.ask("think")
		s.shows("~ thinking  First I look at the price. Then at the drawdown.")
		s.wait(3 * time.Second)
		s.shows("~ thought  First I look at the price.", "2 s", "Done.")
		s.showsNot("│")
		s.press("ctrl+o")
		s.shows("│ Then at the drawdown.")
		s.press("ctrl+o")
		s.showsNot("│")
	})
}

func TestTurn_ASkillLoadedByACallIsShownOnce(t *testing.T) {
	load := priceHistory()
	load.Call.Name, load.Result.Skill = "Skill", "get-price"
	onScreen(t, talk(calls("Done.", load)), 80, 24, func(s *screen) {
		s.ask("price?")
		if n := strings.Count(s.view(), "skill loaded  get-price"); n != 1 {
			t.Fatalf("skill shown %d times, want once:\n%s", n, s.view())
		}
	})
}

func TestTurn_ASkillLoadedTwiceIsShownOnce(t *testing.T) {
	load := priceHistory()
	load.Call.Name, load.Result.Skill = "Skill", "get-price"
	again := func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.SkillLoaded{Name: "get-price"})
		return calls("Done.", load)(ctx, in, say)
	}
	onScreen(t, talk(again), 80, 24, func(s *screen) {
		s.ask("/get-price AAPL")
		s.shows("✓ Skill  ^GSPC")
		if n := strings.Count(s.view(), "skill loaded  get-price"); n != 1 {
			t.Fatalf("skill shown %d times, want once:\n%s", n, s.view())
		}
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
		s.shows("● backtest  10", "⠙ backtest")
		s.press("esc")
		s.wait(100 * time.Millisecond)
		s.shows("! backtest  10", "interrupted")
	})
}

func TestTurn_FiguresFromNoToolAreNamed(t *testing.T) {
	reports := func(r agent.FiguresReport) turnFunc {
		return func(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
			say(agent.TextDelta{Text: "Numbers."})
			return agent.TurnDone{Reason: agent.StopAnswered, Figures: r}, nil
		}
	}
	onScreen(t, talk(
		reports(agent.FiguresReport{Total: 4, Traced: 4}),
		reports(agent.FiguresReport{Total: 3, Traced: 2, Untraced: []string{"7.5%"}}),
	), 80, 24, func(s *screen) {
		s.ask("a")
		s.shows("~ 4 of 4 figures traced")
		s.ask("b")
		s.shows("! 2 of 3 figures traced; from no tool: 7.5%")
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
		s.shows("waiting 2 s to ask again: 429 too many requests")
	})
}

func TestTurn_TheFirstMessageIsSentAtOnce(t *testing.T) {
	onScreen(t, func() tui.Config {
		cfg := talk(answers("Hello."))()
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
		s.shows("cancelled", "press Ctrl+C again to quit")
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
