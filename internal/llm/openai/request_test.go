package openai_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

var update = flag.Bool("update", false, "write the golden files anew")

// conversation has every kind of message that a session can contain.
func conversation() llm.Request {
	return llm.Request{
		MaxTokens: 500,
		Tools: []llm.ToolSpec{
			{Name: "now", Description: "the time"},
			{Name: "quote", Description: "a price", Parameters: json.RawMessage(`{"type":"object","properties":{"symbol":{"type":"string"}}}`)},
		},
		Messages: []llm.Message{
			{Role: llm.RoleSystem, Content: "You are nfa."},
			{Role: llm.RoleUser, Content: "VTI & <BND>?"},
			{
				Role: llm.RoleAssistant, Reasoning: "never sent back by itself",
				ToolCalls: []llm.ToolCall{
					{ID: "c1", Name: "quote", Arguments: `{"symbol":"VTI"}`, Extra: extra("extra_content", `{"google":{"thought_signature":"c2ln"}}`)},
					{ID: "c2", Name: "quote", Arguments: `{symbol: BND`},
					{ID: "c3", Name: "now", Arguments: ""},
				},
				Extra: map[string]json.RawMessage{
					"reasoning_content": json.RawMessage(`"look <both> up"`),
					"reasoning_details": json.RawMessage(`[{"type":"reasoning.encrypted","data":"a+/="}]`),
					"nfa_origin":        json.RawMessage(`"test"`),
				},
			},
			{Role: llm.RoleTool, ToolCallID: "c1", ToolName: "quote", Content: `{"price":"250"}`},
			{Role: llm.RoleTool, ToolCallID: "c2", ToolName: "quote", Content: "not a JSON object", IsError: true},
			{Role: llm.RoleTool, ToolCallID: "c3", ToolName: "now", Content: ""},
			{Role: llm.RoleAssistant, Content: "VTI is at 250.", Reasoning: "done"},
			{Role: llm.RoleUser, Content: "And now?"},
			{Role: llm.RoleAssistant, Content: "", Reasoning: "cancelled before a word"},
			{Role: llm.RoleUser, Content: "Hello?"},
		},
	}
}

func TestRequest_AConversationAsItIsSent(t *testing.T) {
	server := fakeDoerWith(ok())
	m := newModel(t, server, func(c *openai.Config) {
		c.ExtraBody = map[string]json.RawMessage{"thinking": json.RawMessage(`{"type":"enabled"}`), "temperature": json.RawMessage("0")}
	})
	if _, err := collect(t.Context(), m, conversation()); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Indent(&got, server.bodies[0], "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	golden.CheckFile(t, "testdata/request.golden.json", got.String(), *update)
}

// body returns the decoded request body that a model sends.
func body(t *testing.T, req llm.Request, change ...func(*openai.Config)) map[string]any {
	t.Helper()
	server := fakeDoerWith(ok())
	if _, err := collect(t.Context(), newModel(t, server, change...), req); err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(server.bodies[0], &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRequest_ATurnThatWasStoppedHasAnAnswerInTheNextRequest(t *testing.T) {
	said := func(role llm.Role, content string) llm.Message { return llm.Message{Role: role, Content: content} }
	called := llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "c", Name: "now", Arguments: "{}"}}}
	result := llm.Message{Role: llm.RoleTool, ToolCallID: "c", ToolName: "now", Content: "noon"}
	for _, tt := range []struct {
		name     string
		messages []llm.Message
		want     []string
	}{
		{"after a result", []llm.Message{said("user", "one"), called, result, said("user", "two")}, []string{"user", "assistant", "tool", "assistant", "user"}},
		{"before a word", []llm.Message{said("user", "one"), said("user", "two")}, []string{"user", "assistant", "user"}},
		{"before a word, after thoughts", []llm.Message{said("user", "one"), {Role: llm.RoleAssistant, Reasoning: "hm"}, said("user", "two")}, []string{"user", "assistant", "user"}},
		{"a result to be answered now", []llm.Message{said("user", "one"), called, result}, []string{"user", "assistant", "tool"}},
		{"nothing stopped", []llm.Message{said("system", "s"), said("user", "one"), said("assistant", "1"), said("user", "two")}, []string{"system", "user", "assistant", "user"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var roles []string
			for _, m := range body(t, llm.Request{Messages: tt.messages})["messages"].([]any) {
				roles = append(roles, m.(map[string]any)["role"].(string))
			}
			if diff := cmp.Diff(tt.want, roles); diff != "" {
				t.Errorf("roles (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRequest_ModelsTheLibraryWouldRefuseAreAsked(t *testing.T) {
	req := conversation()
	for _, id := range []string{"o1", "o3-mini", "o4-mini", "gpt-5.1", "gpt-6-sol", "gpt-6-astra", "text-davinci-003", "a/b:free"} {
		got := body(t, req, func(c *openai.Config) {
			c.Model = id
			c.ExtraBody = extra("temperature", "0.2")
		})
		if got["model"] != id || got["max_tokens"] != 500.0 {
			t.Errorf("model %v with max_tokens %v was asked, want %s with 500", got["model"], got["max_tokens"], id)
		}
	}
}

func TestRequest_OpenAIHasItsOwnNameForTheTokenLimit(t *testing.T) {
	got := body(t, conversation(), func(c *openai.Config) { c.BaseURL = "https://api.openai.com/v1" })
	if got["max_completion_tokens"] != 500.0 || got["max_tokens"] != nil {
		t.Errorf("max_completion_tokens %v, max_tokens %v", got["max_completion_tokens"], got["max_tokens"])
	}
}

func TestRequest_ANullTakesAFieldOut(t *testing.T) {
	got := body(t, hello(), func(c *openai.Config) { c.ExtraBody = extra("stream_options", " null ") })
	if _, ok := got["stream_options"]; ok || got["stream"] != true {
		t.Errorf("body %v, want stream without stream_options", got)
	}
}

func TestRequest_SignaturesOfAnotherProviderStayBehind(t *testing.T) {
	got := body(t, conversation(), func(c *openai.Config) { c.Provider = "other" })
	message := got["messages"].([]any)[2].(map[string]any)
	for _, name := range []string{"reasoning_content", "reasoning_details", "nfa_origin"} {
		if _, ok := message[name]; ok {
			t.Errorf("%s of another provider was sent", name)
		}
	}
	call := message["tool_calls"].([]any)[0].(map[string]any)
	if _, ok := call["extra_content"]; ok || call["id"] != "c1" {
		t.Errorf("call %v, want it without its signature", call)
	}
}

func TestRequest_HeadersAreTheConfiguredOnes(t *testing.T) {
	var got http.Header
	server := fakeDoerWith(func(r *http.Request) (*http.Response, error) {
		got = r.Header.Clone()
		return ok()(r)
	})
	m := newModel(t, server, func(c *openai.Config) { c.Header = http.Header{"x-title": {"nfa"}} })
	if _, err := collect(t.Context(), m, hello()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Authorization": "Bearer " + canary, "X-Title": "nfa", "Accept-Encoding": "identity", "Accept": "text/event-stream", "User-Agent": "nfa"} {
		if got.Get(name) != want {
			t.Errorf("header %s = %q, want %q", name, got.Get(name), want)
		}
	}
}

func TestRequest_WhatCannotBeEncodedIsSaidAndNotSent(t *testing.T) {
	server := fakeDoerWith(ok())
	req := hello()
	req.Tools = []llm.ToolSpec{{Name: "x", Parameters: json.RawMessage(`{`)}}
	_, err := collect(t.Context(), newModel(t, server), req)
	wantKind(t, err, llm.KindBadRequest)
	if server.count() != 0 {
		t.Errorf("%d requests, want none", server.count())
	}
}

// A signature, fragmented reasoning and an unknown field of an entry must be sent back to the provider
// unchanged.
func TestRoundTrip_ProviderDataComesBackVerbatim(t *testing.T) {
	first := events(
		delta(`{"reasoning_details":[{"type":"reasoning.text","index":0,"format":"f","text":"a <b> "}],"reasoning_content":"a <b> "}`),
		delta(`{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"c","signature":null}],"reasoning_content":"c"}`),
		delta(`{"reasoning_details":[{"type":"reasoning.text","index":0,"signature":"s+/=","x":{"y":1.50}}]}`),
		delta(`{"reasoning_details":[{"type":"reasoning.text","index":1,"text":"d"},{"type":"reasoning.encrypted","index":1,"data":"e"},{"type":"reasoning.encrypted","index":1,"data":"f"}]}`),
		delta(`{"thinking_blocks":[{"type":"thinking","signature":"q"}]}`),
		calling(`{"index":0,"id":"c1","function":{"name":"now","arguments":"{}"},"extra_content":{"google":{"thought_signature":"<&>"}}}`),
		finish("tool_calls"),
	)
	got, err := read(t, first)
	if err != nil {
		t.Fatal(err)
	}
	sent := body(t, llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, ToolCalls: got.Calls, Extra: got.Extra}}})
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"role": "assistant", "content": null, "reasoning_content": "a <b> c",
		"reasoning_details": [
			{"type":"reasoning.text","index":0,"format":"f","text":"a <b> c","signature":"s+/=","x":{"y":1.50}},
			{"type":"reasoning.text","index":1,"text":"d"},
			{"type":"reasoning.encrypted","index":1,"data":"e"},
			{"type":"reasoning.encrypted","index":1,"data":"f"}],
		"thinking_blocks": [{"type":"thinking","signature":"q"}],
		"tool_calls": [{"id":"c1","type":"function","function":{"name":"now","arguments":"{}"},"extra_content":{"google":{"thought_signature":"<&>"}}}]
	}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, sent["messages"].([]any)[0]); diff != "" {
		t.Errorf("message sent back (-want +got):\n%s", diff)
	}
}

func TestRoundTrip_ReasoningWithoutCallsIsNotSentBack(t *testing.T) {
	got, err := read(t, events(delta(`{"reasoning_content":"hm"}`), delta(`{"content":"a"}`), finish("stop")))
	if err != nil || got.Reasoning != "hm" || got.Extra != nil {
		t.Errorf("got %+v, %v; want the reasoning shown and nothing to send back", got, err)
	}
}
