package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// canary is a key that no message may show.
const canary = "sk-canary-0123456789abcdef"

// fakeDoer is an in-memory Doer. It answers the nth request with the nth reply, repeats the last one, and
// records the bodies.
type fakeDoer struct {
	replies []func(*http.Request) (*http.Response, error)

	mu     sync.Mutex
	bodies [][]byte
	at     []time.Time
}

func (l *fakeDoer) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.bodies = append(l.bodies, body)
	l.at = append(l.at, time.Now())
	reply := l.replies[min(len(l.bodies), len(l.replies))-1]
	l.mu.Unlock()
	return reply(req)
}

func (l *fakeDoer) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.bodies)
}

func fakeDoerWith(replies ...func(*http.Request) (*http.Response, error)) *fakeDoer {
	return &fakeDoer{replies: replies}
}

func stream(body string) func(*http.Request) (*http.Response, error) {
	return status(http.StatusOK, body)
}

func status(code int, body string, headers ...string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return response(code, io.NopCloser(strings.NewReader(body)), headers...), nil
	}
}

func failing(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func response(code int, body io.ReadCloser, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: code, Status: http.StatusText(code), Header: h, Body: body}
}

func newModel(t testing.TB, doer openai.Doer, change ...func(*openai.Config)) *openai.Model {
	t.Helper()
	cfg := openai.Config{
		Provider: "test", BaseURL: "https://llm.example/v1", APIKey: canary, Model: "m-1", HTTPClient: doer,
		Retry: openai.Retry{Jitter: func() float64 { return 0.5 }},
	}
	for _, c := range change {
		c(&cfg)
	}
	m, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// answer is a whole stream, assembled.
type answer struct {
	Text      string
	Reasoning string
	Calls     []llm.ToolCall
	Finish    llm.FinishReason
	Usage     *llm.Usage
	Extra     map[string]json.RawMessage
}

func collect(ctx context.Context, m llm.Model, req llm.Request) (a answer, err error) {
	for c, e := range m.Stream(ctx, req) {
		if e != nil {
			return a, e
		}
		a.Text += c.Text
		a.Reasoning += c.Reasoning
		if c.ToolCall != nil {
			a.Calls = append(a.Calls, *c.ToolCall)
		}
		if c.Finish != "" {
			a.Finish, a.Usage, a.Extra = c.Finish, c.Usage, c.Extra
		}
	}
	return a, nil
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}
}

// read plays one stream to a model.
func read(t testing.TB, body string) (answer, error) {
	t.Helper()
	return collect(t.Context(), newModel(t, fakeDoerWith(stream(body)), func(c *openai.Config) { c.Retry.Tries = 1 }), hello())
}

// events writes each as "data: ...", with [DONE] at the end.
func events(list ...string) string { return cutEvents(append(list, "[DONE]")...) }

func cutEvents(list ...string) string {
	var b bytes.Buffer
	for _, e := range list {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

// delta returns an event with one delta; finish, one with a finish reason.
func delta(fields string) string { return `{"choices":[{"index":0,"delta":` + fields + `}]}` }
func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

func wantKind(t *testing.T, err error, want llm.Kind) {
	t.Helper()
	if got := llm.KindOf(err); got != want {
		t.Fatalf("error %v is of kind %q, want %q", err, got, want)
	}
	if strings.Contains(err.Error(), canary) {
		t.Fatalf("error %q shows the key", err)
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}
