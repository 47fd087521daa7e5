package offline_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline"
)

// FuzzTurn plays a whole turn over any message and any result: it ends within
// three steps, says something, calls with valid JSON, and lets no control
// character through.
func FuzzTurn(f *testing.F) {
	for _, question := range []string{
		"How has the S&P 500 done since 2008, and how bad did it get?", "compare AAPL and MSFT since March 2015", "12.5% of 3,400",
		"use the analyze-trend skill on MSFT", activated("x", "IBM", trendSkill), "between 2015-02-30 and 31 february 2010", "\x00\x1b]0;x\a", "标普500 2008年以来",
		`The user activated the skill "x" with: ` + "\n<skill >\n</skill>", "$ ^ . - = & 's", "last 9999 decades of AAPL", "Summarize\n\n# a\n```",
		"show my portfolio in euros", "how has my portfolio done against VTI since 2015", "rebalance my portfolio to 60/40", "my capital gains in 2024", "which lots are at a loss", "我的投资组合",
	} {
		for _, result := range []string{sp500, sp500History, aapl, `{"quotes":[{"price":1e400,"change":"x"}],"errors":[3]}`, `{"error":"no","code":"refused"}`, positionsResult, allocationResult, performanceResult, checkupResult, rebalanceResult, lotsResult, `{"verdict":{"refused":true},"code":"refused","error":"NO"}`, `{"content":"---\ntools_required: [quote]\n---"}`, "{", "", "[", `{"a":`} {
			f.Add(question, result)
		}
	}
	model := offline.New(offline.Options{})
	var tools []llm.ToolSpec
	for _, name := range slices.Concat(everyTool, userDataTools) {
		tools = append(tools, llm.ToolSpec{Name: name})
	}
	f.Fuzz(func(t *testing.T, question, result string) {
		messages := []llm.Message{{Role: llm.RoleSystem, Content: prompt}, {Role: llm.RoleUser, Content: question}}
		for step := 1; ; step++ {
			if step > 3 {
				t.Fatal("a fourth step")
			}
			m := llm.Message{Role: llm.RoleAssistant}
			for chunk, err := range model.Stream(context.Background(), llm.Request{Messages: messages, Tools: tools}) {
				if err != nil {
					t.Fatal(err)
				}
				m.Content += chunk.Text
				if chunk.ToolCall != nil {
					m.ToolCalls = append(m.ToolCalls, *chunk.ToolCall)
				}
			}
			messages = append(messages, m)
			if len(m.ToolCalls) == 0 {
				checkAnswer(t, m.Content)
				return
			}
			for _, call := range m.ToolCalls {
				if !json.Valid([]byte(call.Arguments)) {
					t.Fatalf("arguments %q", call.Arguments)
				}
				messages = append(messages, llm.Message{Role: llm.RoleTool, ToolCallID: call.ID, ToolName: call.Name, Content: result})
			}
		}
	})
}

func checkAnswer(t *testing.T, text string) {
	t.Helper()
	const most = 256 << 10
	if strings.TrimSpace(text) == "" || !utf8.ValidString(text) || len(text) > most {
		t.Fatalf("answer of %d bytes: %.200q", len(text), text)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
		t.Fatalf("a control character at %d of %q", i, text)
	}
}
