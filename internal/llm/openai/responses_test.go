package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

func responses(c *openai.Config) { c.Wire, c.Reasoning = openai.WireResponses, true }

func readResponses(t testing.TB, body string) (answer, error) {
	t.Helper()
	return collect(t.Context(), newModel(t, fakeDoerWith(stream(body)), responses, func(c *openai.Config) { c.Retry.Tries = 1 }), hello())
}

// The same turns through both formats give the same answers.
func TestWire_BothFormatsGiveTheSameAnswers(t *testing.T) {
	call := func(id, args string) llm.ToolCall { return llm.ToolCall{ID: id, Name: "quote", Arguments: args} }
	turns := []llmtest.Turn{
		{Text: []string{"Hel", "lo"}, Usage: llm.Usage{InputTokens: 12, OutputTokens: 3, CachedTokens: 8}},
		{Reasoning: []string{"Which ", "one?"}, Text: []string{"One moment."}, Calls: []llm.ToolCall{call("call_1", `{"symbol":"AAPL"}`), call("call_2", `{"symbol":"MSFT"}`)}},
		{Text: []string{"half"}, Finish: llm.FinishLength},
		{Text: []string{"no"}, Finish: llm.FinishContentFilter},
	}
	for _, turn := range turns {
		server := llmtest.StartServer(llmtest.Answer(turn), llmtest.Answer(turn))
		var got [2]answer
		for i, wire := range []string{openai.WireChat, openai.WireResponses} {
			m, err := openai.New(openai.Config{Provider: "test", BaseURL: server.URL, Model: "m", Wire: wire})
			if err != nil {
				t.Fatal(err)
			}
			if got[i], err = collect(t.Context(), m, hello()); err != nil {
				t.Fatalf("%s: %v", wire, err)
			}
		}
		if diff := cmp.Diff(got[0], got[1], cmpopts.IgnoreFields(answer{}, "Extra")); diff != "" {
			t.Errorf("(-chat +responses):\n%s", diff)
		}
		server.Close()
	}
}

// A reasoning item goes back byte for byte, before the call that it led to, and only to its server.
func TestResponses_ReasoningGoesBackUnchanged(t *testing.T) {
	const reasoning = `{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAAAB<>&=="}`
	first, err := readResponses(t, cutEvents(
		`{"type":"response.output_item.done","item":`+reasoning+`}`,
		`{"type":"response.output_item.done","item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look."}]}}`,
		`{"type":"response.output_text.delta","delta":"I look."}`,
		`{"type":"response.output_item.done","item":`+strings.Replace(reasoning, "rs_1", "rs_2", 1)+`}`,
		`{"type":"response.output_item.done","item":{"type":"function_call","id":"fc_1","call_id":"call_1","name":"quote","arguments":"{\"symbol\":\"AAPL\"}"}}`,
		`{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":5,"output_tokens":2,"input_tokens_details":{"cached_tokens":1}}}}`,
	))
	if err != nil || first.Finish != llm.FinishToolCalls || first.Usage.CachedTokens != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	conversation := llm.Request{
		Messages: []llm.Message{
			{Role: llm.RoleSystem, Content: "rules"}, {Role: llm.RoleUser, Content: "price?"},
			{Role: llm.RoleAssistant, Content: first.Text, ToolCalls: first.Calls, Extra: first.Extra},
			{Role: llm.RoleTool, ToolCallID: "call_1", ToolName: "quote", Content: `{"price":"1"}`},
		},
		Tools: []llm.ToolSpec{{Name: "quote", Description: "Latest price.", Parameters: json.RawMessage(`{"type":"object"}`)}}, MaxTokens: 100,
	}
	for _, provider := range []string{"test", "other"} {
		server := fakeDoerWith(stream(cutEvents(`{"type":"response.completed","response":{"status":"completed"}}`)))
		if _, err := collect(t.Context(), newModel(t, server, responses, func(c *openai.Config) { c.Provider = provider }), conversation); err != nil {
			t.Fatal(err)
		}
		var body struct {
			Input              []json.RawMessage
			Instructions       string
			Include            []string
			Store, Stream      *bool
			Tools              []struct{ Type, Name, Description string }
			MaxOutputTokens    int             `json:"max_output_tokens"`
			PreviousResponseID json.RawMessage `json:"previous_response_id"`
		}
		if err := json.Unmarshal(server.bodies[0], &body); err != nil {
			t.Fatal(err)
		}
		want := []string{
			`{"role":"user","content":"price?"}`, reasoning, `{"role":"assistant","content":"I look."}`, strings.Replace(reasoning, "rs_1", "rs_2", 1),
			`{"type":"function_call","call_id":"call_1","name":"quote","arguments":"{\"symbol\":\"AAPL\"}"}`,
			`{"type":"function_call_output","call_id":"call_1","output":"{\"price\":\"1\"}"}`,
		}
		if provider == "other" {
			want = []string{want[0], want[2], want[4], want[5]}
		}
		var got []string
		for _, item := range body.Input {
			got = append(got, string(item))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, input (-want +got):\n%s", provider, diff)
		}
		if body.Instructions != "rules" || *body.Store || !*body.Stream || body.MaxOutputTokens != 100 || body.PreviousResponseID != nil ||
			len(body.Include) != 1 || len(body.Tools) != 1 || body.Tools[0].Type != "function" || body.Tools[0].Name != "quote" {
			t.Errorf("%s: %s", provider, server.bodies[0])
		}
	}
}

// Each format accepts the answers that another provider gave in the other one.
func TestWire_ExtraOfOneFormatDoesNotReachTheOther(t *testing.T) {
	extra := map[string]json.RawMessage{"nfa_origin": json.RawMessage(`"test"`), "nfa_output": json.RawMessage(`[{"type":"reasoning"}]`), "reasoning_content": json.RawMessage(`"x"`)}
	message := llm.Message{Role: llm.RoleAssistant, Content: "yes", Extra: extra}
	for _, wire := range []string{openai.WireChat, openai.WireResponses} {
		server := fakeDoerWith(status(http.StatusUnauthorized, `{}`))
		_, _ = collect(t.Context(), newModel(t, server, func(c *openai.Config) { c.Wire = wire }), llm.Request{Messages: []llm.Message{message}})
		body := string(server.bodies[0])
		if strings.Contains(body, "nfa_") || strings.Contains(body, "reasoning_content") != (wire == openai.WireChat) || strings.Contains(body, `{"type":"reasoning"}`) != (wire == openai.WireResponses) {
			t.Errorf("%s: %s", wire, body)
		}
	}
}

func TestResponses_Failures(t *testing.T) {
	const text = `{"type":"response.output_text.delta","delta":"half"}`
	for _, row := range []struct {
		name, body string
		kind       llm.Kind
		want       string // part of the error
	}{
		{"cut before the end", cutEvents(text), llm.KindTruncated, "before the answer was complete"},
		{"cut before anything", "", llm.KindTruncated, ""},
		{"failed", cutEvents(text, `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"try again"}}}`), llm.KindServer, "try again"},
		{"failed without a reason", cutEvents(`{"type":"response.failed","response":{"status":"failed"}}`), llm.KindServer, "ended the answer with an error"},
		{"too long", cutEvents(`{"type":"error","code":"context_length_exceeded","message":"Your input exceeds the context window"}`), llm.KindContextLength, "exceeds"},
		{"an error object", cutEvents(`{"type":"error","error":{"code":"rate_limit_exceeded","message":"slow down"}}`), llm.KindRateLimit, "slow down"},
		{"a refusal as one document", `{"error":{"code":"invalid_api_key","message":"no"}}`, llm.KindAuth, "no"},
		{"not JSON", cutEvents(`{"type":`), llm.KindServer, "not JSON"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := readResponses(t, row.body)
			wantKind(t, err, row.kind)
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %q, want %q", err, row.want)
			}
		})
	}
}

func TestResponses_ReadsOddStreams(t *testing.T) {
	for _, row := range []struct{ name, body, want string }{
		{"a server that does not stream", `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"whole"}]}]}`, "whole"},
		{"event names, pings and unknown events", "event: ping\ndata: {}\n\nevent: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\ndata: {\"type\":\"response.web_search_call.searching\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n", "a"},
		{"fields of another type", cutEvents(`{"type":"response.output_text.delta","delta":"a","summary_index":"x"}`, `{"type":"response.output_item.done","item":7}`, `{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":"many"}}}`), "a"},
		{"a refusal", cutEvents(`{"type":"response.refusal.delta","delta":"I cannot."}`, `{"type":"response.completed","response":{"status":"completed"}}`), "I cannot."},
	} {
		got, err := readResponses(t, row.body)
		if err != nil || got.Text != row.want || got.Finish != llm.FinishStop {
			t.Errorf("%s: %+v, %v", row.name, got, err)
		}
	}
}

func FuzzResponses(f *testing.F) {
	f.Add(cutEvents(llmtest.ResponseEvents(llmtest.Turn{Reasoning: []string{"a"}, Text: []string{"b"}, Calls: []llm.ToolCall{{ID: "c", Name: "d", Arguments: "{}"}}})...))
	f.Add(cutEvents(`{"type":"response.output_item.done","item":{"type":"function_call"}}`, `{"type":"response.incomplete","response":{"status":"incomplete"}}`))
	f.Fuzz(func(t *testing.T, body string) {
		got, err := readResponses(t, body)
		if err == nil && got.Finish == "" {
			t.Errorf("an answer without an end: %+v", got)
		}
	})
}
