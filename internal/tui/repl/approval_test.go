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

// approving is a chat whose first turn asks for an approval and keeps the answer.
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
  path     "aapl.md"
  content  "# AAPL\n70 \u202etxt"
  Answer n (no; you can add a reason), y (yes, once), s (yes, this session):
`

func TestQuestion_AScriptAnswers(t *testing.T) {
	always := report()
	always.Pattern = "new .md files in reports"
	planned := tool.Approval{Call: call("w1", "record", `{}`), Effect: tool.Executes, Plan: []string{"buy 10 VTI", "  at 200 USD\x1b[2J"}}
	for _, row := range []struct {
		name, lines string
		asked       tool.Approval
		want        tool.Answer
		written     string
	}{
		{"no", "n\n", report(), tool.Answer{Person: true}, reportPrompt + "Answer: n\n"},
		{"no, with the reason", "No, not yet\n", report(), tool.Answer{Person: true, Reason: "not yet"}, reportPrompt + "Answer: No, not yet\n"},
		{"once", "y\n", report(), tool.Answer{Allowed: true, Person: true}, reportPrompt + "Answer: y\n"},
		{"this session", "session\n", report(), tool.Answer{Allowed: true, Person: true, Scope: tool.Session}, reportPrompt + "Answer: session\n"},
		{"what is no answer is asked again", "yes please\n\na\ny\n", report(), tool.Answer{Allowed: true, Person: true}, reportPrompt +
			"Answer: yes please\nNotice: Not understood. Answer n (no; you can add a reason), y (yes, once), s (yes, this session):\n" +
			"Answer:\nNotice: Not understood. Answer n (no; you can add a reason), y (yes, once), s (yes, this session):\n" +
			"Answer: a\nNotice: Not understood. Answer n (no; you can add a reason), y (yes, once), s (yes, this session):\nAnswer: y\n"},
		{"nobody is there", "", report(), tool.Answer{Reason: "no one answered"}, reportPrompt},
		{"always, where it is offered", "a\n", always, tool.Answer{Allowed: true, Person: true, Scope: tool.Always}, `You: save it
Approval needed: write_report wants to make a change.
  path     "aapl.md"
  content  "# AAPL\n70 \u202etxt"
  Answer n (no; you can add a reason), y (yes, once), s (yes, this session), a (always for new .md files in reports):
Answer: a
`},
		{"a plan", "n\n", planned, tool.Answer{Person: true}, `You: save it
Approval needed: record wants to run a program.
  buy 10 VTI
  at 200 USD\x1b[2J
  Answer n (no; you can add a reason), y (yes, once), s (yes, this session):
Answer: n
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got tool.Answer
			checkOutput(t, "save it\n"+row.lines, approving(&got, row.asked, 0), row.written)
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
	checkOutput(t, "save it\nn\n", func() repl.Config {
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
	}, strings.Replace(reportPrompt, "\n", "\nAssistant: I look. I save it.\n", 1)+"Answer: n\nTool: Write aapl.md … done\n")
}

func TestQuestion_CtrlCRefusesAndStops(t *testing.T) {
	got := tool.Answer{Allowed: true}
	atTerminal(t, approving(&got, report(), 0), func(p *typist) {
		p.types("save it", 0)
		p.interrupt()
		p.shows("Notice: Refused and stopping. Press Ctrl+C again to quit.")
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
