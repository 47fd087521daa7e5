package llmtest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// object is one JSON object on the wire.
type object map[string]any

// Events returns the events of t as a well-behaved server sends them, each the JSON after "data: ": text
// and reasoning in t's pieces, every tool call in three fragments, the finish reason, the usage. [DONE] is
// not included.
func Events(t Turn) []string { return append(openingEvents(t), closingEvents(t)...) }

// openingEvents returns the events before the Hold of a turn.
func openingEvents(t Turn) []string {
	events := []string{delta(object{"role": "assistant", "content": ""})}
	for _, c := range t.pieces() {
		if c.Reasoning != "" {
			events = append(events, delta(object{"reasoning_content": c.Reasoning}))
			continue
		}
		events = append(events, delta(object{"content": c.Text}))
	}
	return events
}

func closingEvents(t Turn) []string {
	var events []string
	for i, call := range t.Calls {
		events = append(events, callEvents(i, call)...)
	}
	last := object{"index": 0, "delta": t.Extra, "finish_reason": t.finish()}
	if t.Extra == nil {
		last["delta"] = object{}
	}
	return append(events, event(object{"choices": []object{last}}), usageEvent(t.Usage))
}

func callEvents(index int, call llm.ToolCall) []string {
	half := len(call.Arguments) / 2
	fragment := func(part object) string {
		part["index"] = index
		return delta(object{"tool_calls": []object{part}})
	}
	return []string{
		fragment(object{"id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": ""}}),
		fragment(object{"function": object{"arguments": call.Arguments[:half]}}),
		fragment(object{"function": object{"arguments": call.Arguments[half:]}}),
	}
}

func usageEvent(u llm.Usage) string {
	return event(object{"choices": []object{}, "usage": object{
		"prompt_tokens": u.InputTokens, "completion_tokens": u.OutputTokens,
		"prompt_tokens_details": object{"cached_tokens": u.CachedTokens},
	}})
}

func delta(fields object) string {
	return event(object{"choices": []object{{"index": 0, "delta": fields, "finish_reason": nil}}})
}

func event(fields object) string {
	fields["object"] = "chat.completion.chunk"
	return mustJSON(fields)
}

// mustJSON panics on invalid test data.
func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("llmtest: " + err.Error())
	}
	return string(b)
}

func rawFields(fields map[string]any) map[string]json.RawMessage {
	if fields == nil {
		return nil
	}
	out := map[string]json.RawMessage{}
	for name, value := range fields {
		out[name] = json.RawMessage(mustJSON(value))
	}
	return out
}

// sse writes events as an event stream.
func sse(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

// send writes and flushes a part of the stream. A disconnected client ends the request's context.
func send(w http.ResponseWriter, part string) {
	_, _ = w.Write([]byte(part))
	_ = http.NewResponseController(w).Flush()
}

// contextUntil returns a context that ends with parent or when done is closed.
func contextUntil(parent context.Context, done <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		select {
		case <-done:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
