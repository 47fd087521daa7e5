package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Interrupted is what stands for the result of a call that never finished:
// servers refuse a conversation in which a call has no answer.
const Interrupted = "The call was interrupted before it returned a result."

// Messages is the conversation as the model has to see it: what was summarised
// in its summary, notes left out,
// leftover deltas of a message that was cut joined into one, and the results of
// a message's calls in the order of the calls, with Interrupted where the
// program died before one came.
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
			// Written in the middle of a turn, it comes before the results of calls.
			out = append([]llm.Message{e.Message}, out[KeptFrom(out):]...)
		}
	}
	flush()
	return out
}

// KeptFrom is where the last KeptTurns turns of a conversation begin, or 0 where
// it has no more than these.
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

// TitleOf makes a session's title from the first words said in it.
func TitleOf(text string) string {
	const longest = 60
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(strings.Join(strings.Fields(line), " "))
	if len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return string(runes)
}

// ResumeHint is the command that goes on with session id.
func ResumeHint(id string) string { return fmt.Sprintf("nfa --resume %s", id) }
