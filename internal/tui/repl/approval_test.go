package repl_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

// approving returns a chat whose first turn asks for an approval and stores the answer.
func approving(got *tool.Answer, asked tool.Approval, before time.Duration) func() repl.Config {
	return func() repl.Config {
		a := tui.NewApprovals()
		write := func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
			time.Sleep(before)
			answer, err := a.Approve(ctx, asked)
			*got = answer
			return agent.TurnDone{Reason: agent.StopAnswered}, err
		}
		cfg := chatWith(write, turnAnswering("Next."), turnAnswering("More."))
		cfg.Approvals = a
		return cfg
	}
}

func report() tool.Approval {
	return tool.Approval{Call: call("w1", "write_report", `{"path":"aapl.md","content":"# AAPL\n70 \u202etxt"}`), Effect: tool.Writes}
}

const reportPrompt = `You: save it
Approval needed: write_report wants to make a change.
  asked by: the model
  path: aapl.md
  content: 2 lines
  | # AAPL
  | 70 \u202etxt
`

// S8: a line from a pipe is not a person's answer.
func TestQuestion_APipeApprovesNothing(t *testing.T) {
	always := report()
	always.Pattern = "new .md files in reports"
	for _, row := range []struct {
		name, lines string
		unattended  tool.Approver
		want        tool.Answer
		written     string
	}{
		{"a yes", "y\n", nil, tool.Answer{Reason: "approval required; run with --allow write_report or --yes"}, "Notice: Refused: approval required; run with --allow write_report or --yes.\n"},
		{"always", "a\n", nil, tool.Answer{Reason: "approval required; run with --allow write_report or --yes"}, "Notice: Refused: approval required; run with --allow write_report or --yes.\n"},
		{"allowed on the command line", "n\n", tool.Policy{Tools: map[string]bool{"write_report": true}}, tool.Answer{Allowed: true}, "Notice: Approved by --yes or --allow.\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got tool.Answer
			checkOutput(t, "save it\n"+row.lines, func() repl.Config {
				cfg := approving(&got, always, 0)()
				cfg.Unattended = row.unattended
				return cfg
			}, reportPrompt+row.written+"You: "+row.lines+"Assistant: Next.\n")
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuestion_EarlierLinesDoNotAnswerIt(t *testing.T) {
	var got tool.Answer
	atTerminal(t, approving(&got, report(), 2*time.Second), func(p *typist) {
		p.types("save it", 0)
		p.types("y", time.Second)
		time.Sleep(1200 * time.Millisecond)
		p.shows("Approval needed: write_report")
		p.types("y", 100*time.Millisecond)
		p.shows("Notice: Too soon after the question. Please answer again.")
		if got.Allowed {
			t.Fatal("a yes during the quiet time was accepted")
		}
		p.types("y", time.Second)
		time.Sleep(time.Second)
		p.shows("You: y\nAssistant: Next.")
		p.types("/quit", 0)
	})
	if !got.Allowed {
		t.Error("the yes that was meant was not taken")
	}
}

func TestQuestion_FollowsTheModelsText(t *testing.T) {
	checkOutput(t, "save it\n", func() repl.Config {
		a := tui.NewApprovals()
		cfg := chatWith(func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
			say(agent.TextDelta{Text: "I look. "})
			time.Sleep(time.Millisecond)
			say(agent.TextDelta{Text: "I save it."})
			say(agent.ToolStarted{Call: report().Call})
			_, err := a.Approve(ctx, report())
			say(agent.ToolFinished{Outcome: tool.Outcome{Call: report().Call, Result: tool.Result{Title: "aapl.md"}}})
			return agent.TurnDone{Reason: agent.StopAnswered}, err
		})
		cfg.Approvals = a
		return cfg
	}, strings.Replace(reportPrompt, "\n", "\nAssistant: I look. I save it.\n", 1)+"Notice: Refused: approval required; run with --allow write_report or --yes.\nTool: Write aapl.md … done\n")
}

func TestQuestion_CtrlCRefusesAndStops(t *testing.T) {
	got := tool.Answer{Allowed: true}
	atTerminal(t, approving(&got, report(), 0), func(p *typist) {
		p.types("save it", 0)
		p.interrupt()
		p.shows("Notice: Refused. Stopping. Press Ctrl+C again to quit.")
		p.types("/quit", time.Second)
	})
	if got.Allowed {
		t.Error("the call was allowed")
	}
}

func TestQuestion_IsWithdrawnWithItsTurn(t *testing.T) {
	a := tui.NewApprovals()
	atTerminal(t, func() repl.Config {
		a = tui.NewApprovals()
		cfg := chatWith(func(ctx context.Context, _ agent.Input, _ emit) (agent.TurnDone, error) {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_, err := a.Approve(ctx, report())
			return agent.TurnDone{Reason: agent.StopTimeLimit}, err
		})
		cfg.Approvals = a
		return cfg
	}, func(p *typist) {
		p.types("save it", 0)
		time.Sleep(6 * time.Second)
		p.shows("Answer: \nNotice: The question was withdrawn.\n", "Stopped at the time limit")
		p.types("/quit", 0)
	})
}
