package tui_test

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// delayedAnswer returns a turn that answers after a time.
func delayedAnswer(d time.Duration, text string) func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
	return func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
		time.Sleep(d)
		return turnAnswering(text)(ctx, in, say)
	}
}

// notifying returns a chat that notifies its user.
func notifying(how tui.Notify, turns ...func(context.Context, agent.Input, emit) (agent.TurnDone, error)) func() tui.Config {
	return func() tui.Config {
		cfg := talk(turns...)()
		cfg.Notify = how
		return cfg
	}
}

func TestNotify_ALongTurnCallsBackAReaderWhoIsElsewhere(t *testing.T) {
	const desktop = "\x1b]9;nfa: your answer is ready\x1b\\"
	tests := []struct {
		name  string
		how   tui.Notify
		took  time.Duration
		focus tea.Msg // what the terminal reports before the end
		want  []string
	}{
		{"bell", tui.NotifyBell, 11 * time.Second, nil, []string{"\a"}},
		{"desktop", tui.NotifyDesktop, 11 * time.Second, nil, []string{desktop}},
		{"off", tui.NotifyOff, 11 * time.Second, nil, nil},
		{"a short turn", tui.NotifyBell, 9 * time.Second, nil, nil},
		{"watched", tui.NotifyBell, 11 * time.Second, tea.FocusMsg{}, nil},
		{"turned away from", tui.NotifyBell, 11 * time.Second, tea.BlurMsg{}, []string{"\a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onScreen(t, notifying(tt.how, delayedAnswer(tt.took, "Hello.")), 80, 24, func(s *screen) {
				if tt.focus != nil {
					s.send(tea.FocusMsg{})
				}
				s.ask("hi")
				if tt.focus != nil {
					s.send(tt.focus)
				}
				s.wait(12 * time.Second)
				s.shows("Hello.")
				if diff := cmp.Diff(tt.want, s.raw); diff != "" {
					t.Errorf("sent to the terminal (-want +got):\n%s", diff)
				}
				if got := s.model.View().ReportFocus; got != (tt.how != tui.NotifyOff) {
					t.Errorf("focus is asked for = %t with %s", got, tt.name)
				}
			})
		})
	}
}

func TestTitle_SaysHowThingsAreAndNothingThatWasSaid(t *testing.T) {
	approvals := (*tui.Approvals)(nil)
	asks := func(ctx context.Context, _ agent.Input, _ emit) (agent.TurnDone, error) {
		_, err := approvals.Approve(ctx, tool.Approval{Call: llm.ToolCall{Name: "write_report"}, Effect: tool.Writes})
		return agent.TurnDone{Reason: agent.StopAnswered}, err
	}
	titled := func() tui.Config {
		cfg := talk(delayedAnswer(time.Second, "secret"), asks)()
		approvals = tui.NewApprovals()
		cfg.Approvals = approvals
		return cfg
	}
	onScreen(t, titled, 80, 24, func(s *screen) {
		want := func(title string) {
			t.Helper()
			if got := s.model.View().WindowTitle; got != title {
				t.Errorf("title = %q, want %q", got, title)
			}
		}
		want("nfa")
		s.ask("my secret question")
		want("● nfa")
		s.wait(2 * time.Second)
		want("nfa")
		s.ask("again")
		want("! nfa: approval needed")
	})
	onScreen(t, func() tui.Config {
		cfg := talk()()
		cfg.NoWindowTitle = true
		return cfg
	}, 80, 24, func(s *screen) {
		if got := s.model.View().WindowTitle; got != "" {
			t.Errorf("title = %q where none is wanted", got)
		}
	})
}
