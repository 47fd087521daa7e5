package tui_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// approvalConfig returns a chat whose turn asks for approval of a write with args. The tool's answer is stored in
// got.
func approvalConfig(args string, got *tool.Answer) func() tui.Config {
	return func() tui.Config {
		a := tui.NewApprovals()
		cfg := talk(asks(a, args, func(answer tool.Answer) { *got = answer }))()
		cfg.Approvals = a
		return cfg
	}
}

func TestApproval_AnswersReachTheTool(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys func(*screen)
		want tool.Answer
	}{
		{"once", func(s *screen) { s.press("y") }, tool.Answer{Allowed: true, Scope: tool.Once, Person: true}},
		{"this session", func(s *screen) { s.press("s") }, tool.Answer{Allowed: true, Scope: tool.Session, Person: true}},
		{"no", func(s *screen) { s.press("n", "enter") }, tool.Answer{Person: true}},
		{"escape is no", func(s *screen) { s.press("esc") }, tool.Answer{Person: true}},
		{"enter alone is no", func(s *screen) { s.press("enter") }, tool.Answer{Person: true}},
		{"no with a reason", func(s *screen) {
			s.press("n")
			s.write("use reports/ yes")
			s.press("enter")
		}, tool.Answer{Reason: "use reports/ yes", Person: true}},
		{"changed mind", func(s *screen) {
			s.press("n", "esc")
			s.wait(time.Second)
			s.press("y")
		}, tool.Answer{Allowed: true, Person: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tool.Answer{Reason: "never asked"}
			onScreen(t, approvalConfig(`{"path":"a.md"}`, &got), 80, 24, func(s *screen) {
				s.ask("save")
				s.shows("! write_report wants to make a change", `path: a.md`, "› n  No", "nothing runs; you can add a reason")
				s.wait(time.Second)
				tt.keys(s)
				s.wait(100 * time.Millisecond)
				s.showsNot("wants to make a change")
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("answer (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestApproval_AKeyMeantForTheComposerApprovesNothing(t *testing.T) {
	got := tool.Answer{Reason: "not answered"}
	onScreen(t, approvalConfig(`{}`, &got), 80, 24, func(s *screen) {
		s.write("save")
		s.press("enter", "y", "s")
		s.shows("wants to make a change")
		if got.Reason != "not answered" {
			t.Fatalf("answered %+v by a key typed as the question came up", got)
		}
	})
}

func TestApproval_TypingOnGrantsNothingAndAKeyAfterAPauseDoes(t *testing.T) {
	unanswered := tool.Answer{Reason: "not answered"}
	for _, tt := range []struct {
		name  string
		typed string // none of it opens the reason for a refusal
		pause time.Duration
		key   string
		want  tool.Answer
	}{
		{"session after a pause", "how is they say", 400 * time.Millisecond, "s", tool.Answer{Allowed: true, Scope: tool.Session, Person: true}},
		{"once after a pause", "how is they say", 400 * time.Millisecond, "y", tool.Answer{Allowed: true, Person: true}},
		{"too early", "how is they say", 360 * time.Millisecond, "s", unanswered},
		{"a yes again and again", "yyyyyyyyyyyy", 100 * time.Millisecond, "y", unanswered},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := unanswered
			onScreen(t, approvalConfig(`{}`, &got), 80, 24, func(s *screen) {
				s.ask("save")
				for _, r := range tt.typed {
					s.wait(100 * time.Millisecond)
					s.write(string(r))
				}
				s.shows("wants to make a change")
				s.wait(tt.pause)
				s.press(tt.key)
				s.wait(100 * time.Millisecond)
				if got != tt.want {
					t.Errorf("answer = %+v, want %+v", got, tt.want)
				}
			})
		})
	}
}

func TestApproval_TheKeysOfAReasonAndAPasteAreNotAPause(t *testing.T) {
	for name, typed := range map[string]func(*screen){
		"a reason taken back": func(s *screen) { s.press("n", "esc") },
		"a paste":             func(s *screen) { s.send(tea.PasteMsg{Content: "how i"}) },
	} {
		t.Run(name, func(t *testing.T) {
			got := tool.Answer{Reason: "not answered"}
			onScreen(t, approvalConfig(`{}`, &got), 80, 24, func(s *screen) {
				s.ask("save")
				s.wait(time.Second)
				typed(s)
				s.press("s")
				s.shows("wants to make a change")
				if got.Reason != "not answered" {
					t.Errorf("answered %+v by a key with another just before it", got)
				}
			})
		})
	}
}

func TestApproval_TheDraftSurvives(t *testing.T) {
	onScreen(t, func() tui.Config {
		a := tui.NewApprovals()
		late := asks(a, `{}`, nil)
		cfg := talk(func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
			time.Sleep(time.Second)
			return late(ctx, in, say)
		})()
		cfg.Approvals = a
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("save")
		s.write("my draft")
		s.wait(2 * time.Second)
		s.showsNot("my draft")
		s.press("y")
		s.wait(100 * time.Millisecond)
		s.shows("> my draft")
	})
}

func TestApproval_ACanceledTurnClosesItsQuestion(t *testing.T) {
	var got tool.Answer
	onScreen(t, approvalConfig(`{}`, &got), 80, 24, func(s *screen) {
		s.ask("save")
		s.shows("wants to make a change")
		s.press("ctrl+c")
		s.wait(100 * time.Millisecond)
		s.showsNot("wants to make a change")
		s.shows("Stopped.")
	})
}

func TestApproval_NothingHidesInTheArguments(t *testing.T) {
	var got tool.Answer
	args := `{"path":"ok.md","path":"/etc/passwd","text":"a\nb\u202egpj.exe\u001b[2J","\u200bx":1}`
	onScreen(t, approvalConfig(args, &got), 80, 24, func(s *screen) {
		s.ask("save")
		s.shows("path: ok.md", "path: /etc/passwd", "| a", `| b\u202egpj.exe\x1b[2J`, `"\u200bx": 1`)
	})
}

func TestApproval_LongArgumentsSayThatThereIsMore(t *testing.T) {
	var got tool.Answer
	long := `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"last":"the end"}`
	onScreen(t, approvalConfig(long, &got), 40, 15, func(s *screen) {
		s.ask("save")
		s.shows("of 12")
		s.showsNot("the end")
		for range 20 {
			s.press("down")
		}
		s.shows("the end")
	})
}

func TestApproval_MalformedArgumentsAreShownAsTheyAre(t *testing.T) {
	var got tool.Answer
	onScreen(t, approvalConfig("{\"a\": \x1b]0;title\a", &got), 80, 24, func(s *screen) {
		s.ask("save")
		s.shows(`arguments: {"a": \x1b]0;title\a`)
	})
}

func TestApprovals_WithoutAScreenTheAskerIsFreedByItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := tui.NewApprovals().Approve(ctx, tool.Approval{Call: llm.ToolCall{Name: "write_report"}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Approve = %v, want the context's error", err)
		}
	})
}

func TestApproval_TwoQuestionsAreAskedOneAfterTheOther(t *testing.T) {
	onScreen(t, func() tui.Config {
		a := tui.NewApprovals()
		both := func(ctx context.Context, _ agent.Input, _ emit) (agent.TurnDone, error) {
			done := make(chan struct{})
			ask := func(name string) {
				_, _ = a.Approve(ctx, tool.Approval{Call: llm.ToolCall{Name: name, Arguments: "{}"}, Effect: tool.Executes})
				done <- struct{}{}
			}
			go ask("same_tool")
			go ask("same_tool")
			<-done
			<-done
			return agent.TurnDone{Reason: agent.StopAnswered}, nil
		}
		cfg := talk(both)()
		cfg.Approvals = a
		return cfg
	}, 80, 24, func(s *screen) {
		s.ask("both")
		s.wait(time.Second)
		s.press("y")
		s.shows("same_tool wants to run a program")
		s.press("y")
		s.shows("wants to run a program")
		s.wait(time.Second)
		s.press("y")
		s.showsNot("wants to run a program")
	})
}
