package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

type reportArgs struct {
	Path string `json:"path" jsonschema:"where to write"`
}

// realAgent returns an agent with a scripted model and a tool that writes.
func realAgent(t *testing.T, approver tool.Approver, written *[]string, turns ...llmtest.Turn) *agent.Agent {
	t.Helper()
	write := tool.New("write_report", "writes a report", tool.Writes, func(_ context.Context, in reportArgs) (tool.Result, error) {
		*written = append(*written, in.Path)
		return tool.Result{Value: "written", Title: in.Path, Summary: "4.1 KB", Figures: []tool.Figure{{Value: decimal.RequireFromString("4.1"), Unit: "KB"}}, ForUser: "The report is in " + in.Path + "."}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{write}, tool.Options{Approver: approver})
	if err != nil {
		t.Fatal(err)
	}
	model := &llmtest.Script{Turns: turns}
	a, err := agent.New(agent.Config{
		Store: &sessiontest.Memory{},
		Setup: func() (agent.Setup, error) {
			return agent.Setup{Model: model, ModelName: "script", Router: router, Prompt: "be brief"}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func writeCall(id, path string) llmtest.Turn {
	return llmtest.Call(llm.ToolCall{ID: id, Name: "write_report", Arguments: `{"path":"` + path + `"}`})
}

// TestAgent_AConversationLooksTheSameWhenItIsResumed runs turns of the real agent through the chat: an
// approved call, a refused one, and a canceled answer.
func TestAgent_AConversationLooksTheSameWhenItIsResumed(t *testing.T) {
	var (
		a       *agent.Agent
		written []string
	)
	never := llmtest.Turn{Text: []string{"This will ", "never end"}}
	onScreen(t, func() tui.Config {
		approvals := tui.NewApprovals()
		never.Hold = make(chan struct{})
		a = realAgent(t, approvals, &written,
			writeCall("w1", "a.md"), llmtest.Say("Saved 4.1 KB ", "in 12 lines."),
			writeCall("w2", "b.md"), llmtest.Say("Then not."), never)
		return tui.Config{Conversation: a.Start(), Approvals: approvals}
	}, 80, 40, func(s *screen) {
		s.ask("save a")
		s.wait(time.Second)
		s.press("y")
		s.wait(time.Second)
		s.ask("save b")
		s.wait(time.Second)
		s.press("n")
		s.write("one is enough")
		s.press("enter")
		s.wait(time.Second)
		s.ask("go on")
		s.wait(time.Second)
		s.press("esc")
		s.wait(time.Second)
		if got := strings.Join(written, " "); got != "a.md" {
			t.Errorf("written: %q, want only a.md", got)
		}
		live := transcriptLines(s, "> save a")

		conversation, history, err := a.Resume(t.Context(), s.model.SessionID())
		if err != nil {
			t.Fatal(err)
		}
		s.model = tui.New(t.Context(), complete(tui.Config{Conversation: conversation, History: history}))
		s.send(tea.WindowSizeMsg{Width: 80, Height: 40})
		s.shows("✓ Write      a.md", "4.1 KB", "1 figure could not be traced: 12 (/why)", "one is enough", "This will never end", "! Stopped.")
		if resumed := transcriptLines(s, "> save a"); resumed != live {
			t.Errorf("live:\n%s\nresumed:\n%s", live, resumed)
		}
	})
}

// transcriptLines returns the transcript from a line on, without the empty lines below it.
func transcriptLines(s *screen, from string) string {
	_, rest, _ := strings.Cut(s.view(), from)
	rest, _, _ = strings.Cut(rest, "\n ─")
	return strings.TrimSpace(rest)
}
