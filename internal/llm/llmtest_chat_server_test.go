package llm_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// ask returns what a ChatServer streams for messages, given as role and text in turn.
func ask(t *testing.T, texts ...string) string {
	t.Helper()
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	var messages []message
	for i := 0; i+1 < len(texts); i += 2 {
		messages = append(messages, message{texts[i], texts[i+1]})
	}
	body, err := json.Marshal(map[string]any{"model": "talker", "messages": messages})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	llmtest.ChatServer{}.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", "/v1/chat/completions", strings.NewReader(string(body))))
	return w.Body.String()
}

func TestChatServer_AnswersWhatTheQuestionAsksFor(t *testing.T) {
	tests := []struct {
		name string
		said []string
		want []string
	}{
		{"words", []string{"user", "say 3 words"}, []string{`"content":"word1 "`, `"content":"word3 "`, `"completion_tokens":3`, "[DONE]"}},
		{"words at the end of others", []string{"user", "<notes>\nsay 2 words"}, []string{`"content":"word2 "`}},
		{"a paragraph", []string{"user", "say 21 words"}, []string{`"content":"word20\n\n"`, `"content":"word21 "`}},
		{"a call", []string{"user", `call write_report {"path":"a.md"}`}, []string{"This needs write_report.", `"name":"write_report"`, `"finish_reason":"tool_calls"`}},
		{"a result", []string{"user", `call x {}`, "tool", "it is  done"}, []string{"The tool said: it is done"}},
		{"anything else", []string{"user", "one\ntwo\nthree"}, []string{"You sent 3 lines, 13 bytes: one two three"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, tt.said...)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is answered by\n%s\nwant %s in it", tt.said, got, want)
				}
			}
		})
	}
}

func TestChatServer_RefusesWhatIsNoQuestion(t *testing.T) {
	for _, body := range []string{"", "{}", "[", `{"messages":[]}`} {
		w := httptest.NewRecorder()
		llmtest.ChatServer{}.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", "/v1/chat/completions", strings.NewReader(body)))
		if w.Code != 400 {
			t.Errorf("%q is answered with %d, want 400", body, w.Code)
		}
	}
}
