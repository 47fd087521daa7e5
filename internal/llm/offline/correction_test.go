package offline_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
)

// C38: a correction of the transaction just recorded is that transaction with the new value; it
// replaces the old one. Without a recorded transaction it corrects nothing.
func TestCorrection_ChangesTheTransactionJustRecorded(t *testing.T) {
	recorded := []llm.Message{
		{Role: llm.RoleUser, Content: "I bought 3 AAPL at 150 on 2024-03-05"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "c1", Name: "add_transaction", Arguments: `{"kind":"buy","symbol":"AAPL","quantity":3,"price":150,"date":"2024-03-05"}`}}},
		{Role: llm.RoleTool, ToolCallID: "c1", ToolName: "add_transaction", Content: `{"recorded":{"id":"1abc"}}`},
		{Role: llm.RoleAssistant, Content: "Recorded."},
	}
	for text, want := range map[string]string{
		"no, it was 4 shares":      `"quantity":4,"replaces":"1abc"`,
		"no, at 151.5":             `"price":151.5,"quantity":3,"replaces":"1abc"`,
		"actually on 6 March 2024": `"date":"2024-03-06"`,
		"undo that":                `{"id":"1abc"}`,
		"不对，应该是4股":                 `"quantity":4,"replaces":"1abc"`,
	} {
		m := newAssistant()
		reply := send(t, m, append(recorded[:4:4], llm.Message{Role: llm.RoleUser, Content: text})...)
		if len(reply.calls) != 1 || !strings.Contains(reply.calls[0].Arguments, want) {
			t.Errorf("%s: calls %+v, want %s", text, reply.calls, want)
		}
	}
}
