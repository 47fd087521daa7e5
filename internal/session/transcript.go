package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Interrupted replaces the result of a call that never finished, because servers reject a call
// without a result.
const Interrupted = "The call was interrupted before it returned a result."

// Messages returns the messages for the model. A summary replaces what it summarizes, notes are
// omitted, leftover deltas of an interrupted message are joined, and results are in the order of
// their calls, with Interrupted for a missing result.
func Messages(entries []Entry) []llm.Message {
	var out []llm.Message
	var partial strings.Builder
	var calls []llm.ToolCall
	results := map[string]llm.Message{}
	flush := func() {
		for _, call := range calls {
			result, ok := results[call.ID]
			if !ok {
				result = llm.Message{
					Role: llm.RoleTool, Content: Interrupted, IsError: true,
					ToolCallID: call.ID, ToolName: call.Name,
				}
			}
			out = append(out, result)
		}
		calls = nil
		clear(results)
		if partial.Len() > 0 {
			out = append(out, llm.Message{Role: llm.RoleAssistant, Content: partial.String()})
			partial.Reset()
		}
	}
	for _, e := range entries {
		switch e.Kind {
		case KindDelta:
			partial.WriteString(e.Message.Content)
		case KindTool:
			results[e.Message.ToolCallID] = e.Message
		case KindAssistant:
			partial.Reset()
			flush()
			out = append(out, e.Message)
			calls = e.Message.ToolCalls
		case KindUser:
			flush()
			out = append(out, e.Message)
		case KindSummary:
			// A summary written in the middle of a turn precedes the results of calls.
			out = append([]llm.Message{e.Message}, out[KeptFrom(out):]...)
		}
	}
	flush()
	return out
}

// KeptFrom returns where the last KeptTurns turns start, or 0 if there are no more than these.
func KeptFrom(messages []llm.Message) int {
	turns := 0
	for i, m := range slices.Backward(messages) {
		if m.Role != llm.RoleUser {
			continue
		}
		if turns++; turns == KeptTurns {
			return i
		}
	}
	return 0
}

// TitleOf returns a session title from the first words of a text.
func TitleOf(text string) string {
	const longest = 60
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(strings.Join(strings.Fields(line), " "))
	if len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return string(runes)
}

// ResumeHint returns the command that continues session id.
func ResumeHint(id string) string { return fmt.Sprintf("nfa --resume %s", id) }
