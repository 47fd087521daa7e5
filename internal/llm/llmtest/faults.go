package llmtest

import (
	"net/http"
	"slices"
	"strings"
)

// forever exceeds the retries of any client.
const forever = 50

// Faults returns replies of misbehaving servers by name, for a client that expects the answer t.
// The answer still arrives in error-event, in those whose name ends in "then-ok", and in those that
// only vary the stream format. "cut" and similar faults need a t with at least two events before
// its calls.
func Faults(t Turn) map[string][]Reply {
	ok := Answer(t)
	limited := Status(http.StatusTooManyRequests, "Rate limit reached", "Retry-After-Ms", "20")
	down := Page(http.StatusServiceUnavailable, "text/html", "<html><title>503 Service Temporarily Unavailable</title></html>")
	events := append(Events(t), "[DONE]")
	return map[string][]Reply{
		"401":               {Unauthorized()},
		"429-twice-then-ok": {limited, limited, ok},
		"429-forever":       slices.Repeat([]Reply{limited}, forever),
		"503-twice-then-ok": {down, down, ok},
		"context-too-long":  {Status(http.StatusBadRequest, "This model's maximum context length is 8192 tokens")},
		"cut":               slices.Repeat([]Reply{Cut(t, 2)}, forever),
		"cut-in-line":       slices.Repeat([]Reply{CutInLine(t, 2)}, forever),
		"cut-at-once":       slices.Repeat([]Reply{Cut(t, 1)}, forever),
		"cut-then-401":      {Cut(t, 2), Unauthorized()},
		"endless":           slices.Repeat([]Reply{Endless(t)}, forever),
		"keep-alives":       {Stream(strings.Repeat(": keep-alive\n\n", 400) + sse(events...))},
		"empty-data":        {Stream("data:\n\ndata: \n\n" + sse(events...))},
		"multi-line-data":   {Stream(multiLine(events))},
		"bom":               {Stream("\ufeff" + sse(events...))},
		"crlf":              {Stream(strings.ReplaceAll(sse(events...), "\n", "\r\n"))},
		"no-done":           {Stream(sse(Events(t)...))},
		"error-event":       {Stream(sse(Events(t)[0], `{"error":{"message":"the provider is overloaded","code":502}}`)), ok},
		"json-200":          {Page(http.StatusOK, "application/json", `{"error":{"message":"no such deployment"}}`)},
		"html-200":          {Page(http.StatusOK, "text/html", "<!DOCTYPE html><html><title>Sign in</title></html>")},
		"no-index":          {Stream(sse(unindexed(t)...))},
		"silence":           slices.Repeat([]Reply{Silence(t, 1)}, forever),
		"mute":              slices.Repeat([]Reply{NoResponse()}, forever),
	}
}

// multiLine breaks each JSON event over two data lines, as the standard allows.
func multiLine(events []string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + strings.Replace(e, `,"object":`, ",\ndata: \"object\":", 1) + "\n\n")
	}
	return b.String()
}

// unindexed returns the events of t with complete calls that have neither index nor ID, and a finish reason
// that contradicts them.
func unindexed(t Turn) []string {
	events := openingEvents(t)
	for _, c := range t.Calls {
		function := object{"name": c.Name, "arguments": c.Arguments}
		events = append(events, delta(object{"tool_calls": []object{{"function": function}}}))
	}
	last := object{"index": 0, "delta": object{}, "finish_reason": "stop"}
	return append(events, event(object{"choices": []object{last}}), usageEvent(t.Usage), "[DONE]")
}
