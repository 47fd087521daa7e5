package llmtest

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// forResponses reports whether a request wants the events of the Responses API.
func forResponses(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/responses") }

// ResponseEvents returns the events of t in the Responses API: the turn's pieces, then the items with
// encrypted reasoning first, and the response with its usage.
func ResponseEvents(t Turn) []string {
	return append(openingResponseEvents(t), closingResponseEvents(t)...)
}

func openingResponseEvents(t Turn) []string {
	events := []string{mustJSON(object{"type": "response.created", "response": object{"id": "resp_1", "object": "response", "status": "in_progress", "output": []any{}}})}
	for _, c := range t.pieces() {
		kind, text := "response.output_text.delta", c.Text
		if c.Reasoning != "" {
			kind, text = "response.reasoning_summary_text.delta", c.Reasoning
		}
		events = append(events, mustJSON(object{"type": kind, "item_id": "item", "output_index": 0, "content_index": 0, "delta": text}))
	}
	return events
}

func closingResponseEvents(t Turn) []string {
	var items []object
	if len(t.Reasoning) > 0 {
		items = append(items, object{"type": "reasoning", "id": "rs_1", "summary": []object{{"type": "summary_text", "text": strings.Join(t.Reasoning, "")}}, "encrypted_content": "gAAAAA=="})
	}
	if len(t.Text) > 0 {
		items = append(items, object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []object{{"type": "output_text", "text": strings.Join(t.Text, ""), "annotations": []any{}}}})
	}
	for i, call := range t.Calls {
		items = append(items, object{"type": "function_call", "id": "fc_" + strconv.Itoa(i), "status": "completed", "call_id": call.ID, "name": call.Name, "arguments": call.Arguments})
	}
	var events []string
	for i, item := range items {
		events = append(events, mustJSON(object{"type": "response.output_item.done", "output_index": i, "item": item}))
	}
	kind, response := "response.completed", object{"id": "resp_1", "object": "response", "status": "completed", "output": items, "usage": object{
		"input_tokens": t.Usage.InputTokens, "output_tokens": t.Usage.OutputTokens, "input_tokens_details": object{"cached_tokens": t.Usage.CachedTokens},
	}}
	if reason := map[llm.FinishReason]string{llm.FinishLength: "max_output_tokens", llm.FinishContentFilter: "content_filter"}[t.finish()]; reason != "" {
		kind, response["status"], response["incomplete_details"] = "response.incomplete", "incomplete", object{"reason": reason}
	}
	return append(events, mustJSON(object{"type": kind, "response": response}))
}
