package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

type jsonText = json.RawMessage

func post(t *testing.T, server *llmtest.Server, body string) (status int, answer string, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer key-1")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

func start(t *testing.T, replies ...llmtest.Reply) *llmtest.Server {
	t.Helper()
	server := llmtest.StartServer(replies...)
	t.Cleanup(server.Close)
	return server
}

func TestServer_CutsToolCallsIntoFragments(t *testing.T) {
	server := start(t, llmtest.Answer(llmtest.Turn{
		Text: []string{"Hi"}, Usage: llm.Usage{InputTokens: 7},
		Calls: []llm.ToolCall{{ID: "c1", Name: "quote", Arguments: `{"s":1}`}},
	}))
	_, got, err := post(t, server, `{"model":"m"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"content":"Hi"`, `"name":"quote"`, `{"arguments":"{\"s"}`, `{"arguments":"\":1}"}`, `"finish_reason":"tool_calls"`, `"prompt_tokens":7`, "data: [DONE]\n\n"} {
		if !strings.Contains(got, part) {
			t.Errorf("the stream lacks %s:\n%s", part, got)
		}
	}
	if n := strings.Count(got, "tool_calls\":["); n != 3 {
		t.Errorf("the call came in %d fragments, want 3", n)
	}
}

func TestServer_RecordsRequestsAndRefusesOneTooMany(t *testing.T) {
	server := start(t)
	server.Add(llmtest.Answers(llmtest.Say("a"), llmtest.Say("b"))...)
	var statuses []int
	for _, body := range []string{`{"n":1}`, `{"n":2}`, `{"n":3}`} {
		status, _, err := post(t, server, body)
		if err != nil {
			t.Fatal(err)
		}
		statuses = append(statuses, status)
	}
	if !slices.Equal(statuses, []int{200, 200, 400}) {
		t.Errorf("statuses %v, want two answers and a refusal", statuses)
	}
	got := server.Requests()
	if len(got) != 3 || string(got[1].Body) != `{"n":2}` || got[1].Header.Get("Authorization") != "Bearer key-1" {
		t.Errorf("recorded %+v", got)
	}
}

func TestServer_CloseEndsAReplyThatWaits(t *testing.T) {
	started := make(chan struct{})
	server := llmtest.StartServer(func(w http.ResponseWriter, r *http.Request) {
		close(started)
		llmtest.NoResponse()(w, r)
	})
	done := make(chan error)
	go func() {
		_, _, err := post(t, server, "{}")
		done <- err
	}()
	<-started
	server.Close()
	if err := <-done; err == nil {
		t.Error("a mute reply ended in an answer")
	}
}

func TestServer_HoldsATurnOpen(t *testing.T) {
	hold := make(chan struct{})
	server := start(t, llmtest.Answer(llmtest.Turn{Text: []string{"first"}, Hold: hold}))
	resp, err := http.Post(server.URL+"/chat/completions", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	buf := make([]byte, 4096)
	var got string
	for !strings.Contains(got, "first") {
		n, err := resp.Body.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got += string(buf[:n])
	}
	if strings.Contains(got, "[DONE]") {
		t.Error("the turn did not hold")
	}
	close(hold)
	rest, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(rest), "[DONE]") {
		t.Errorf("after the release came %q, %v", rest, err)
	}
}

func TestFaults_EachIsWhatItsNameSays(t *testing.T) {
	faults := llmtest.Faults(llmtest.Turn{Text: []string{"a, b"}, Calls: []llm.ToolCall{{ID: "c1", Name: "n", Arguments: "{}"}}})
	for _, tt := range []struct {
		name, holds, lacks string
		status             int
	}{
		{"401", "key-1", "data:", 401},
		{"429-forever", "Rate limit", "data:", 429},
		{"503-twice-then-ok", "<title>", "data:", 503},
		{"context-too-long", "context length", "data:", 400},
		{"cut", "a, b", "finish_reason\":\"tool_calls", 200},
		{"cut-at-once", `"role":"assistant"`, "a, b", 200},
		{"cut-then-401", "a, b", "[DONE]", 200},
		{"keep-alives", ": keep-alive", "\r", 200},
		{"empty-data", "data:\n\n", "\r", 200},
		{"multi-line-data", ",\ndata: \"object\"", "\r", 200},
		{"bom", "\ufeffdata:", "\r", 200},
		{"crlf", "\r\n\r\n", "}\n", 200},
		{"no-done", "tool_calls", "[DONE]", 200},
		{"error-event", `data: {"error"`, "[DONE]", 200},
		{"json-200", `{"error"`, "data:", 200},
		{"html-200", "<html>", "data:", 200},
		{"no-index", `{"tool_calls":[{"function":`, `"id"`, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, got, err := post(t, start(t, faults[tt.name]...), "{}")
			if err != nil || status != tt.status || !strings.Contains(got, tt.holds) || strings.Contains(got, tt.lacks) {
				t.Errorf("status %d, %v; want %d, with %q and without %q in\n%s", status, err, tt.status, tt.holds, tt.lacks, got)
			}
		})
	}
	if _, _, err := post(t, start(t, faults["cut-in-line"]...), "{}"); err == nil {
		t.Error("cut-in-line ended cleanly")
	}
}
