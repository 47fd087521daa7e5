package openai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/llm"
)

func call(id, name, arguments string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Arguments: arguments}
}

// calling returns an event with tool call fragments.
func calling(fragments string) string { return delta(`{"tool_calls":[` + fragments + `]}`) }

// Each row is one way in which some server deviates from the protocol. The ID "*" stands for one that nfa
// had to create.
func TestStream_Quirks(t *testing.T) {
	stop, quote := finish("stop"), call("c1", "quote", `{"symbol":"VTI"}`)
	for _, tt := range []struct {
		name   string
		stream string
		want   answer
	}{
		{"comments and blank lines", ": hi\n\n\n\n: again\n" + events(delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"CRLF", strings.ReplaceAll(events(delta(`{"content":"a"}`), stop), "\n", "\r\n"), answer{Text: "a"}},
		{"byte order mark", "\ufeff" + events(delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"no space after the colon", "data:" + delta(`{"content":"a"}`) + "\n\ndata:" + stop + "\n\ndata:[DONE]\n\n", answer{Text: "a"}},
		{"event and id lines", "event: chunk\nid: 7\nretry: 10\n" + events(delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"empty data", "data:\n\ndata:   \n\n" + events(delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"data over several lines", "data: {\"choices\":\ndata: [{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n" + events(stop), answer{Text: "a"}},
		{"no blank line between events", "data: " + delta(`{"content":"a"}`) + "\ndata: " + stop + "\ndata: [DONE]\n", answer{Text: "a"}},
		{"plain text event", events("ping", delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"typed ping event", events(`{"type":"ping"}`, delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"no [DONE] after the finish reason", cutEvents(delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"no newline after [DONE]", strings.TrimSpace(events(delta(`{"content":"a"}`))), answer{Text: "a"}},
		{"[DONE] without a finish reason", events(delta(`{"content":"a"}`)), answer{Text: "a"}},
		{"an answer of no words", events(stop), answer{}},
		{"null contents", events(delta(`{"content":null,"reasoning":null,"reasoning_content":null,"tool_calls":null}`), delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"content as parts", events(delta(`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`), stop), answer{Text: "ab"}},
		{"thinking among the parts", events(delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"a"}]}`), stop), answer{Text: "a", Reasoning: "hm"}},
		{"parts in parts", events(delta(`{"content":[[{"content":[{"type":"text","text":"a"}]}],"b"]}`), stop), answer{Text: "ab"}},
		{"parts without end", events(delta(`{"content":[`+strings.Repeat("[", 5000)+quoted(strings.Repeat("x", 1<<20))+strings.Repeat("]", 5000)+`,"a"]}`), stop), answer{Text: "a"}},
		{"content of another type", events(delta(`{"content":7}`), delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"fields of another type", events(`{"id":7,"choices":[{"index":"0","delta":{"content":"a","tool_calls":{}},"finish_reason":null}]}`, stop), answer{Text: "a"}},
		{"choices null", events(`{"choices":null}`, delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"a second choice", events(`{"choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"a"}}]}`, stop), answer{Text: "a"}},
		{"error null", events(`{"error":null,"choices":[{"delta":{"content":"a"}}]}`, stop), answer{Text: "a"}},
		{"refusal in its own field", events(delta(`{"refusal":"I cannot"}`), stop), answer{Text: "I cannot"}},
		{"one document instead of a stream", "{\n \"choices\": [{\"message\": {\"content\": \"a\"},\n \"finish_reason\": \"stop\"}],\n \"usage\": {\"prompt_tokens\": 1, \"completion_tokens\": 2}}", answer{Text: "a", Usage: &llm.Usage{InputTokens: 1, OutputTokens: 2}}},

		{"reasoning", events(delta(`{"reasoning":"hm"}`), stop), answer{Reasoning: "hm"}},
		{"reasoning_content", events(delta(`{"reasoning_content":"hm"}`), stop), answer{Reasoning: "hm"}},
		{"reasoning under both names", events(delta(`{"reasoning":"hm","reasoning_content":"hm"}`), stop), answer{Reasoning: "hm"}},
		{"reasoning in details alone", events(delta(`{"reasoning_details":[{"type":"reasoning.summary","summary":"hm"}]}`), stop), answer{Reasoning: "hm"}},
		{"think tags", events(delta(`{"content":"\n<think>hm</think>\n\na"}`), stop), answer{Text: "a", Reasoning: "hm"}},
		{"think tags left open", events(delta(`{"content":"<think>hm</thi"}`), stop), answer{Reasoning: "hm</thi"}},
		{"think tags further on are text", events(delta(`{"content":"use <think>x</think>"}`), stop), answer{Text: "use <think>x</think>"}},
		{"an opening that is no tag", events(delta(`{"content":" <thi"}`), delta(`{"content":"s>"}`), stop), answer{Text: " <this>"}},
		{"an opening cut by the end", events(delta(`{"content":" <thi"}`), stop), answer{Text: " <thi"}},

		{"arguments in fragments", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":""}}`), calling(`{"index":0,"function":{"arguments":"{\"symbol\":"}}`), calling(`{"index":0,"function":{"arguments":"\"VTI\"}"}}`), finish("tool_calls")), answer{Calls: []llm.ToolCall{quote}}},
		{"stop with calls", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":"{\"symbol\":\"VTI\"}"}}`), stop), answer{Calls: []llm.ToolCall{quote}, Finish: llm.FinishToolCalls}},
		{"no finish reason with calls", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":"{\"symbol\":\"VTI\"}"}}`)), answer{Calls: []llm.ToolCall{quote}, Finish: llm.FinishToolCalls}},
		{"tool_calls without calls", events(delta(`{"content":"a"}`), finish("tool_calls")), answer{Text: "a", Finish: llm.FinishStop}},
		{"arguments as an object", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":{"symbol": "VTI"}}}`), stop), answer{Calls: []llm.ToolCall{quote}}},
		{"arguments null", events(calling(`{"index":0,"id":"c1","function":{"name":"now","arguments":null}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "now", "")}}},
		{"invalid arguments pass as they are", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":"{symbol: VTI"}}`), finish("tool_calls")), answer{Calls: []llm.ToolCall{call("c1", "quote", "{symbol: VTI")}}},
		{"several calls in one event", events(calling(`{"index":0,"id":"c1","function":{"name":"a","arguments":"{}"}},{"index":1,"id":"c2","function":{"name":"b","arguments":"{}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "a", "{}"), call("c2", "b", "{}")}}},
		{"fragments of two calls mixed", events(calling(`{"index":0,"id":"c1","function":{"name":"a","arguments":"{"}},{"index":1,"id":"c2","function":{"name":"b","arguments":"["}}`), calling(`{"index":1,"function":{"arguments":"]"}},{"index":0,"function":{"arguments":"}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "a", "{}"), call("c2", "b", "[]")}}},
		{"every index zero", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":"{\"s\":1}"}}`), calling(`{"index":0,"id":"c2","function":{"name":"quote","arguments":"{\"s\":2}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "quote", `{"s":1}`), call("c2", "quote", `{"s":2}`)}}},
		{"a new id for each fragment", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":"{\"s\""}}`), calling(`{"index":0,"id":"c2","function":{"name":"quote","arguments":":1}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "quote", `{"s":1}`)}}},
		{"no index, by id", events(calling(`{"id":"c1","function":{"name":"a","arguments":"{"}}`), calling(`{"id":"c2","function":{"name":"b","arguments":"["}}`), calling(`{"id":"c1","function":{"arguments":"}"}}`), calling(`{"id":"c2","function":{"arguments":"]"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "a", "{}"), call("c2", "b", "[]")}}},
		{"no index, id only at first", events(calling(`{"id":"c1","function":{"name":"a","arguments":"{"}}`), calling(`{"function":{"arguments":"}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "a", "{}")}}},
		{"no index and no id, one event each", events(calling(`{"function":{"name":"a","arguments":"{}"}}`), calling(`{"function":{"name":"a","arguments":"{}"}}`), stop), answer{Calls: []llm.ToolCall{call("*", "a", "{}"), call("*", "a", "{}")}}},
		{"no index and no id, in one event", events(calling(`{"function":{"name":"a","arguments":"{"}},{"function":{"name":"b","arguments":"["}}`), calling(`{"function":{"arguments":"}"}},{"function":{"arguments":"]"}}`), stop), answer{Calls: []llm.ToolCall{call("*", "a", "{}"), call("*", "b", "[]")}}},
		{"two calls of one id", events(calling(`{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}},{"index":1,"id":"x","function":{"name":"b","arguments":"{}"}}`), stop), answer{Calls: []llm.ToolCall{call("x", "a", "{}"), call("*", "b", "{}")}}},
		{"the name repeated", events(calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":"{\"symbol\""}}`), calling(`{"index":0,"id":"c1","function":{"name":"quote","arguments":":\"VTI\"}"}}`), stop), answer{Calls: []llm.ToolCall{quote}}},
		{"the name in pieces", events(calling(`{"index":0,"id":"c1","function":{"name":"get_","arguments":""}}`), calling(`{"index":0,"function":{"name":"price","arguments":"{}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "get_price", "{}")}}},
		{"the whole arguments once more", events(calling(`{"index":0,"id":"c1","function":{"name":"a","arguments":"{}"}}`), calling(`{"index":0,"id":"c1","function":{"name":"a","arguments":"{}"}}`), stop), answer{Calls: []llm.ToolCall{call("c1", "a", "{}")}}},
		{"an empty fragment as a call", events(calling(`{"index":0,"function":{}}`), delta(`{"content":"a"}`), stop), answer{Text: "a"}},
		{"the function_call of old", events(delta(`{"function_call":{"name":"a","arguments":"{"}}`), delta(`{"function_call":{"arguments":"}"}}`), finish("function_call")), answer{Calls: []llm.ToolCall{call("*", "a", "{}")}}},

		{"cut by length in a call", events(delta(`{"content":"a"}`), calling(`{"index":0,"id":"c1","function":{"name":"a","arguments":"{}"}},{"index":1,"id":"c2","function":{"name":"b","arguments":"{\"x\":"}}`), finish("length")), answer{Text: "a", Calls: []llm.ToolCall{call("c1", "a", "{}")}, Finish: llm.FinishLength}},
		{"cut by length after a name", events(calling(`{"index":0,"id":"c1","function":{"name":"a"}}`), finish("max_tokens")), answer{Finish: llm.FinishLength}},
		{"filtered", events(delta(`{"content":"a"}`), finish("SAFETY")), answer{Text: "a", Finish: llm.FinishContentFilter}},

		{"usage with empty choices", events(stop, `{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3}}}`), answer{Usage: &llm.Usage{InputTokens: 9, OutputTokens: 4, CachedTokens: 3}}},
		{"usage on the last chunk", events(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_cache_hit_tokens":8}}`), answer{Text: "a", Usage: &llm.Usage{InputTokens: 9, OutputTokens: 4, CachedTokens: 8}}},
		{"usage in the choice", events(`{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":4,"cached_tokens":2}}]}`), answer{Usage: &llm.Usage{InputTokens: 9, OutputTokens: 4, CachedTokens: 2}}},
		{"usage aside", events(`{"choices":[{"delta":{},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":4}}}`), answer{Usage: &llm.Usage{InputTokens: 9, OutputTokens: 4}}},
		{"usage null", events(`{"choices":[{"delta":{"content":"a"}}],"usage":null}`, stop), answer{Text: "a"}},
		{"usage absurd", events(stop, `{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":1e99}}`), answer{Usage: &llm.Usage{OutputTokens: 1e12}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(t, tt.stream)
			if err != nil {
				t.Fatalf("reading the stream: %v", err)
			}
			if tt.want.Finish == "" {
				tt.want.Finish = llm.FinishStop
				if len(tt.want.Calls) > 0 {
					tt.want.Finish = llm.FinishToolCalls
				}
			}
			ids := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".ID" }, cmp.Comparer(sameID))
			if diff := cmp.Diff(tt.want, got, ids, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(answer{}, "Extra")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func sameID(x, y string) bool {
	invented := func(id string) bool { return strings.HasPrefix(id, "call_") && len(id) == 21 }
	return x == y || x == "*" && invented(y) || y == "*" && invented(x)
}

func TestStream_ThinkTagsAreFoundHoweverTheyAreCut(t *testing.T) {
	const whole = " <think>one < two</think>\n\nthree"
	for i := range whole {
		for j := i; j < len(whole); j++ {
			var list []string
			for _, piece := range []string{whole[:i], whole[i:j], whole[j:]} {
				list = append(list, delta(`{"content":`+quoted(piece)+`}`))
			}
			got, err := read(t, events(list...))
			if err != nil || got.Text != "three" || got.Reasoning != "one < two" {
				t.Fatalf("cut at %d and %d: text %q, reasoning %q, %v", i, j, got.Text, got.Reasoning, err)
			}
		}
	}
}

func TestStream_TooManyCallsAreNotFollowed(t *testing.T) {
	var list []string
	for range 1000 {
		list = append(list, calling(`{"function":{"name":"a","arguments":"{}"}}`))
	}
	got, err := read(t, events(list...))
	if err != nil || len(got.Calls) != 128 {
		t.Fatalf("%d calls, %v; want the first 128", len(got.Calls), err)
	}
}
