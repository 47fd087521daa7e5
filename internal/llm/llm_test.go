package llm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
)

func TestError_SaysWhoFailedHowAndInWhoseWords(t *testing.T) {
	for _, tt := range []struct {
		err  llm.Error
		want string
	}{
		{llm.Error{Kind: llm.KindTimeout}, "timeout"},
		{llm.Error{Kind: llm.KindRateLimit, Provider: "openai", Status: 429, Message: "slow down"}, "openai: 429 rate limit: slow down"},
		{llm.Error{Kind: llm.KindNetwork, Provider: "custom", Err: io.ErrUnexpectedEOF}, "custom: network: unexpected EOF"},
		{llm.Error{Kind: llm.KindServer, Message: "said", Err: io.EOF}, "server: said"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%#v says %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestKindOf_IsFoundThroughWrapping(t *testing.T) {
	cause := errors.New("cause")
	err := fmt.Errorf("asking the model: %w", &llm.Error{Kind: llm.KindAuth, Err: cause})
	if got := llm.KindOf(err); got != llm.KindAuth {
		t.Errorf("KindOf = %q, want auth", got)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if got := llm.KindOf(cause) + llm.KindOf(nil); got != "" {
		t.Errorf("KindOf of other errors = %q, want none", got)
	}
}

func TestUsage_AddsEveryCount(t *testing.T) {
	got := llm.Usage{InputTokens: 1, OutputTokens: 2, CachedTokens: 3}.Add(llm.Usage{InputTokens: 10, OutputTokens: 20, CachedTokens: 30})
	if want := (llm.Usage{InputTokens: 11, OutputTokens: 22, CachedTokens: 33}); got != want {
		t.Errorf("Add = %+v, want %+v", got, want)
	}
}

// A transcript is stored as the JSON of its messages, so nothing may be lost, in particular data that a
// provider requires back unchanged.
func TestMessage_SurvivesItsJSON(t *testing.T) {
	want := llm.Message{
		Role: llm.RoleAssistant, Content: "a", Reasoning: "b", ToolCallID: "c", ToolName: "d", IsError: true,
		ToolCalls: []llm.ToolCall{{ID: "1", Name: "n", Arguments: `{not json`, Extra: map[string]json.RawMessage{"s": json.RawMessage(`{"x":1.50}`)}}},
		Extra:     map[string]json.RawMessage{"details": json.RawMessage(`[1,"2"]`)},
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got llm.Message
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMessage_EmptyFieldsTakeNoSpaceInATranscript(t *testing.T) {
	b, err := json.Marshal(llm.Message{Role: llm.RoleUser})
	if err != nil || string(b) != `{"role":"user","content":""}` {
		t.Errorf("JSON %s, %v", b, err)
	}
}
