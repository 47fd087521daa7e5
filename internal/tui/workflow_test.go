package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

const runWorkflow = "What if I save 500 EUR a month for 20 years?"

func workflowCall() llm.ToolCall {
	return llm.ToolCall{ID: "c1", Name: "skill_what_if_monthly_saving", Arguments: `{"monthly":"500 EUR","years":20}`}
}

// stepCall returns a call of a workflow step, with an ID like those of a Router.
func stepCall(name, toolName, args string) llm.ToolCall {
	return llm.ToolCall{ID: "c1»" + name, Name: toolName, Arguments: args}
}

func history() tool.Outcome {
	return tool.Outcome{
		Call:     stepCall("history", "returns_stats", `{"symbol":"^GSPC","range":"max"}`),
		Result:   tool.Result{Title: "^GSPC · price index, no dividends", Summary: "+97.53%", ForUser: "| total return | +97.53% |"},
		Duration: 12 * time.Millisecond,
	}
}

// workflowAsks waits for the only confirmation of a run.
func workflowAsks() tui.Config {
	a := tui.NewApprovals()
	cfg := talk(func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.ToolStarted{Call: workflowCall()})
		_, err := a.Approve(ctx, tool.Approval{Call: workflowCall(), Effect: tool.Executes, Plan: []string{
			"! not reviewed: this user skill has not run here as it is now; look at what it does",
			`1. history  returns_stats {"range":"max","symbol":"^GSPC"}`,
			`2. projection  python {"monthly":"500 EUR","observed":"{{steps.history}}","years":20}`,
			"   scripts/project.py  sha256 95b12060eb7d743ad5bb6c2f6483f90a8ea5dda4310d2b038a5a6ea810249e81",
			"   with system /usr/bin/python3 3.11.7 \x1b[31m",
		}})
		return agent.TurnDone{Reason: agent.StopCancelled}, err
	})()
	cfg.Approvals = a
	return cfg
}

// workflowRuns has finished its first step and is running its second.
func workflowRuns(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
	say(agent.ToolStarted{Call: workflowCall()})
	say(agent.ToolStarted{Call: history().Call})
	say(agent.ToolFinished{Outcome: history()})
	say(agent.ToolStarted{Call: stepCall("projection", "python", `{"script":"scripts/project.py"}`)})
	<-ctx.Done()
	return agent.TurnDone{Reason: agent.StopCancelled}, nil
}

// workflowFails stops at its second step.
func workflowFails(_ context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
	failed := tool.Outcome{
		Call:     stepCall("projection", "python", `{"script":"scripts/project.py"}`),
		Result:   tool.Failed("script_failed", "scripts/project.py: years must be from 1 to 80 (exit status 1)"),
		Duration: 63 * time.Millisecond,
	}
	say(agent.ToolStarted{Call: workflowCall()})
	say(agent.ToolFinished{Outcome: history()})
	say(agent.ToolFinished{Outcome: failed})
	say(agent.ToolFinished{Outcome: tool.Outcome{Call: workflowCall(), Duration: 80 * time.Millisecond,
		Result: tool.Failed("step_failed", "step projection: scripts/project.py: years must be from 1 to 80 (exit status 1)")}})
	return agent.TurnDone{Reason: agent.StopAnswered}, nil
}

func workflowFrames() []frame {
	run := func(s *screen) {
		s.ask(runWorkflow)
		s.wait(time.Second)
	}
	return []frame{
		{"workflow-asks", workflowAsks, run},
		{"workflow-running", talk(workflowRuns), run},
		{"workflow-failed", talk(workflowFails), run},
	}
}

func TestK33_AResumedRunShowsItsSteps(t *testing.T) {
	entries := []session.Entry{
		userEntry(runWorkflow),
		{Kind: session.KindAssistant, Message: llm.Message{ToolCalls: []llm.ToolCall{workflowCall()}}},
		{
			Kind: session.KindTool, Message: llm.Message{ToolCallID: history().Call.ID, ToolName: "returns_stats"},
			Display: display(agent.Display{Title: "^GSPC", Summary: "+97.53%"}),
		},
		{
			Kind: session.KindTool, Message: llm.Message{ToolCallID: "c1", ToolName: workflowCall().Name},
			Display: display(agent.Display{Title: "what-if-monthly-saving", Summary: "1 of 1 steps"}),
		},
		{Kind: session.KindSummary, Message: llm.Message{Role: llm.RoleUser, Content: "the summary itself is for the model"}},
	}
	onScreen(t, func() tui.Config { return tui.Config{History: entries} }, 80, 24, func(s *screen) {
		s.press("ctrl+o")
		got := s.view()
		for _, want := range []string{"▾ Skill      what-if-monthly-saving", "▾ history    Returns  ^GSPC", "Context compacted"} {
			if !strings.Contains(got, want) {
				t.Errorf("the screen lacks %q:\n%s", want, got)
			}
		}
		if strings.Contains(got, "is for the model") {
			t.Errorf("the screen shows the summary:\n%s", got)
		}
	})
}
