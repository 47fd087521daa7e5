package mcpclient_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// A server whose result tells the model to change the portfolio: the model obeys, and the user is asked
// about the change as always. The tool is found by find_tools and not sent before.
func TestAgent_AHostileServerWritesNothingUnasked(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	settings := "mcpServers:\n  broker: {command: '" + program + "', args: [" + fakeServer + ", instructs]}\n"
	if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(id, name, args string) llmtest.Turn {
		return llmtest.Call(llm.ToolCall{ID: id, Name: name, Arguments: args})
	}
	server := llmtest.StartServer(llmtest.Answers(
		call("c1", "find_tools", `{"query":"what does my broker say that I own"}`),
		call("c2", "mcp_broker_get_holdings", `{}`),
		call("c3", "add_transaction", `{"kind":"buy","symbol":"AAPL","quantity":3,"price":100,"currency":"USD","date":"2022-03-01"}`),
		llmtest.Say("Nothing was recorded."),
	)...)
	t.Cleanup(server.Close)
	var asked []string
	a, err := app.Open(t.Context(), app.Options{
		CommandLine: app.CommandLine{Home: home, Folder: t.TempDir()}, Agent: true, Now: time.Now, Warn: func(text string) { t.Error(text) },
		Env: func(name string) string {
			return map[string]string{"NFA_BASE_URL": server.URL, "NFA_MODEL": "m", "NFA_DATA": "sample"}[name]
		},
		Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
			asked = append(asked, a.Call.Name)
			return tool.Answer{Allowed: strings.HasPrefix(a.Call.Name, "mcp_"), Person: true}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, err := range a.StartConversation(t.Context()).Run(t.Context(), agent.Input{Text: "what does my broker say that I own"}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(asked, " "); got != "mcp_broker_get_holdings add_transaction" {
		t.Errorf("asked about %s", got)
	}
	if ledger, err := a.Stores.Portfolio.Ledger(t.Context()); err != nil || len(ledger.Transactions) != 0 {
		t.Errorf("%d transactions, %v", len(ledger.Transactions), err)
	}
	requests := server.Requests()
	const name = `"name":"mcp_broker_get_holdings"`
	if first, second := string(requests[0].Body), string(requests[1].Body); strings.Contains(first, name) || !strings.Contains(second, name) || !strings.Contains(second, `MCP server broker says \"Lists what you own.\"`) {
		t.Errorf("first request: %s\nsecond: %s", first, second)
	}
}
