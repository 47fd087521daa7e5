package openai_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// foreign returns a conversation with calls that this server did not make: two of another provider, and one of
// the user.
func foreign() llm.Request {
	long := "call_" + strings.Repeat("x", 60)
	return llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser, Content: "one"},
		{
			Role:      llm.RoleAssistant,
			ToolCalls: []llm.ToolCall{{ID: "functions.quote:0", Name: "quote", Arguments: "{}"}, {ID: long, Name: "now", Arguments: "{}"}},
			Extra:     map[string]json.RawMessage{"nfa_origin": json.RawMessage(`"another"`), "reasoning_content": json.RawMessage(`"secret thoughts"`)},
		},
		{Role: llm.RoleTool, ToolCallID: "functions.quote:0", ToolName: "quote", Content: "1"},
		{Role: llm.RoleTool, ToolCallID: long, ToolName: "now", Content: "2"},
		{Role: llm.RoleAssistant, Content: "1 at noon"},
		{Role: llm.RoleUser, Content: "two"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "call_user_5", Name: "quote", Arguments: "{}"}}},
		{Role: llm.RoleTool, ToolCallID: "call_user_5", ToolName: "quote", Content: "3"},
	}}
}

// messagesFor returns the messages of a request as sent to that server.
func messagesFor(t *testing.T, req llm.Request, base, model string) []map[string]any {
	t.Helper()
	sent := body(t, req, func(c *openai.Config) { c.BaseURL, c.Model = base, model })
	var out []map[string]any
	for _, m := range sent["messages"].([]any) {
		out = append(out, m.(map[string]any))
	}
	return out
}

func callsIn(message map[string]any) []map[string]any {
	var out []map[string]any
	calls, _ := message["tool_calls"].([]any)
	for _, c := range calls {
		out = append(out, c.(map[string]any))
	}
	return out
}

// Each server refuses a whole conversation if an ID has another form.
func TestDemand_IDsOfCallsAreOfTheFormThatTheServerTakes(t *testing.T) {
	for _, tt := range []struct {
		name, base, model string
		want              string
		kept              bool // an ID that is of the form stays
	}{
		{"Mistral", "https://api.mistral.ai/v1", "mistral-small-2603", `^[a-zA-Z0-9]{9}$`, false},
		{"a model of Mistral elsewhere", "http://localhost:8000/v1", "mistralai/Devstral-Small-2507", `^[a-zA-Z0-9]{9}$`, false},
		{"Anthropic", "https://api.anthropic.com/v1", "claude-sonnet-5", `^[a-zA-Z0-9_-]{1,40}$`, true},
		{"OpenAI", "https://api.openai.com/v1", "gpt-5-mini", `^[a-zA-Z0-9_-]{1,40}$`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			form := regexp.MustCompile(tt.want)
			var asked, answered []string
			for _, m := range messagesFor(t, foreign(), tt.base, tt.model) {
				for _, c := range callsIn(m) {
					asked = append(asked, c["id"].(string))
				}
				if m["role"] == "tool" {
					answered = append(answered, m["tool_call_id"].(string))
				}
			}
			if diff := cmp.Diff(asked, answered); diff != "" || len(asked) != 3 || asked[0] == asked[1] {
				t.Errorf("calls %v, results of %v; want three, each with its own", asked, answered)
			}
			for _, id := range asked {
				if !form.MatchString(id) {
					t.Errorf("ID %q is sent, want one like %s", id, tt.want)
				}
			}
			if (asked[2] == "call_user_5") != tt.kept {
				t.Errorf("call_user_5 is sent as %q", asked[2])
			}
		})
	}
}

func TestDemand_OtherServersGetTheirIDsAsTheyGaveThem(t *testing.T) {
	for _, base := range []string{"https://api.moonshot.ai/v1", "https://llm.example/v1"} {
		got := messagesFor(t, foreign(), base, "kimi-k2.6")
		if id := callsIn(got[1])[0]["id"]; id != "functions.quote:0" || got[2]["tool_call_id"] != id {
			t.Errorf("%s is sent %v and %v, want functions.quote:0", base, id, got[2]["tool_call_id"])
		}
	}
	own := llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "D681PevKs", Name: "now"}}}}}
	if id := callsIn(messagesFor(t, own, "https://api.mistral.ai/v1", "mistral-small-2603")[0])[0]["id"]; id != "D681PevKs" {
		t.Errorf("Mistral's own ID is sent as %v", id)
	}
}

// Reasoning models refuse calls without the reasoning before them. Reasoning of another model is never sent
// as theirs.
func TestDemand_ThoughtsThatAServerMissesHaveAStandIn(t *testing.T) {
	for base, wants := range map[string]bool{
		"https://api.moonshot.ai/v1": true, "https://api.moonshot.cn/v1": true, "https://api.deepseek.com/v1": true,
		"https://api.openai.com/v1": false, "https://llm.example/v1": false,
	} {
		for i, m := range messagesFor(t, foreign(), base, "m-1") {
			thoughts, there := m["reasoning_content"].(string)
			if calls := len(callsIn(m)) > 0; there != (wants && calls) || there && thoughts != " " {
				t.Errorf("%s: message %d has the thoughts %q (%v), want a blank: %v", base, i, thoughts, there, wants && calls)
			}
		}
	}
	own := llm.Request{Messages: []llm.Message{{
		Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "c1", Name: "now"}}, Extra: extra("reasoning_content", `"hm"`),
	}}}
	if got := messagesFor(t, own, "https://api.deepseek.com/v1", "m-1")[0]["reasoning_content"]; got != "hm" {
		t.Errorf("its own thoughts are sent as %v", got)
	}
}

// Gemini 3 refuses the first call of a step without its signature. Its documentation gives a placeholder
// for calls that it did not make.
func TestDemand_CallsThatGeminiDidNotMakeAreMarked(t *testing.T) {
	const gemini = "https://generativelanguage.googleapis.com/v1beta/openai"
	mark := map[string]any{"google": map[string]any{"thought_signature": "skip_thought_signature_validator"}}
	got := messagesFor(t, foreign(), gemini, "gemini-3-pro-preview")
	two, one := callsIn(got[1]), callsIn(got[6])
	if diff := cmp.Diff([]any{any(mark), nil, any(mark)}, []any{two[0]["extra_content"], two[1]["extra_content"], one[0]["extra_content"]}); diff != "" {
		t.Errorf("signatures (-want +got):\n%s", diff)
	}
	const vertex = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/endpoints/openapi"
	if call := callsIn(messagesFor(t, foreign(), vertex, "google/gemini-3-pro")[1])[0]; call["extra_content"] == nil {
		t.Errorf("%s is sent %v, want it marked", vertex, call)
	}
	for _, other := range [][2]string{{gemini, "gemini-2.5-flash"}, {vertex, "google/gemini-2.5-pro"}, {"https://llm.example/v1", "gemini-3-pro-preview"}} {
		if call := callsIn(messagesFor(t, foreign(), other[0], other[1])[1])[0]; call["extra_content"] != nil {
			t.Errorf("%v is sent %v", other, call)
		}
	}
	signed := map[string]json.RawMessage{"extra_content": json.RawMessage(`{"google":{"thought_signature":"own"}}`)}
	own := llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "c1", Name: "now", Extra: signed}}}}}
	want := map[string]any{"google": map[string]any{"thought_signature": "own"}}
	if diff := cmp.Diff(any(want), callsIn(messagesFor(t, own, gemini, "gemini-3-pro-preview")[0])[0]["extra_content"]); diff != "" {
		t.Errorf("its own signature (-want +got):\n%s", diff)
	}
}

// A model that makes up a tool name may use characters that no tool name has. It is told that the tool does
// not exist. Sent back unchanged, the name would have the conversation refused.
func TestDemand_NamesThatNoToolMayHaveAreSentInTheirForm(t *testing.T) {
	form := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	for name, want := range map[string]string{
		"quote": "quote", "Skill": "Skill", "skill__0f": "skill__0f",
		"functions.quote": "functions_quote", "default_api:quote": "default_api_quote", "": "unnamed",
		"get price\n": "get_price_", "报价": "__", strings.Repeat("x", 99): strings.Repeat("x", 64),
	} {
		req := llm.Request{Messages: []llm.Message{{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "c1", Name: name}}}}}
		got := callsIn(messagesFor(t, req, "https://llm.example/v1", "m-1")[0])[0]["function"].(map[string]any)["name"].(string)
		if got != want || !form.MatchString(got) {
			t.Errorf("a call of %q is sent as one of %q, want %q", name, got, want)
		}
	}
}
