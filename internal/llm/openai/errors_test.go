package openai_test

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

func once(c *openai.Config) { c.Retry.Tries = 1 }

func TestStream_RefusalsHaveAMeaning(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   llm.Kind
		words  string
	}{
		{"wrong key", 401, `{"error":{"message":"Incorrect API key provided: ` + canary + `","code":"invalid_api_key"}}`, llm.KindAuth, "Incorrect API key provided: [key]"},
		{"wrong key as 400", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, llm.KindAuth, "API key not valid"},
		{"no right", 403, `{"error":{"message":"Project has no access"}}`, llm.KindAuth, "Project has no access"},
		{"flagged", 403, `{"error":{"message":"Input was flagged","code":403}}`, llm.KindRefused, "flagged"},
		{"no credit", 402, `{"error":{"message":"Insufficient credits"}}`, llm.KindQuota, "Insufficient credits"},
		{"no credit as 429", 429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, llm.KindQuota, "exceeded"},
		{"too fast", 429, `{"error":{"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}`, llm.KindRateLimit, "quota"},
		{"too long", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, llm.KindContextLength, "8192"},
		{"too long as 500", 500, `{"error":"the prompt exceeds the context window"}`, llm.KindContextLength, "context window"},
		{"too long as 413", 413, ``, llm.KindContextLength, "too large"},
		{"no such model", 404, `{"error":{"message":"model \"x\" not found, try pulling it first"}}`, llm.KindModelUnknown, "try pulling"},
		{"no such model as 400", 400, `{"error":{"message":"foo is not a valid model ID"}}`, llm.KindModelUnknown, "foo"},
		{"no such place", 404, ``, llm.KindBadRequest, "check the base URL"},
		{"filter", 400, `{"error":{"message":"The response was filtered","code":"content_filter"}}`, llm.KindRefused, "filtered"},
		{"error flat", 400, `{"object":"error","message":"bad tools","type":"BadRequestError","code":400}`, llm.KindBadRequest, "bad tools"},
		{"error as a flag", 400, `{"error":true,"message":"bad tools"}`, llm.KindBadRequest, "bad tools"},
		{"detail", 422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, llm.KindBadRequest, "field required"},
		{"gateway's provider", 502, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream is down"}}}`, llm.KindServer, "Provider returned error: upstream is down"},
		{"web page", 503, "<!DOCTYPE html>\n<html><head><TITLE>503 Busy</TITLE></head><body>" + strings.Repeat("x", 9000), llm.KindServer, "the server returned a web page instead of an answer: 503 Busy"},
		{"nothing said", 500, ``, llm.KindServer, "internal server error"},
		{"moved", 308, ``, llm.KindBadRequest, "moved to https://new.example/v1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := fakeDoerWith(status(tt.status, tt.body, "Location", "https://new.example/v1/chat/completions"))
			_, err := collect(t.Context(), newModel(t, server, once), hello())
			wantKind(t, err, tt.want)
			var e *llm.Error
			if errors.As(err, &e); e.Status != tt.status || e.Provider != "test" {
				t.Errorf("status %d of %q, want %d of test", e.Status, e.Provider, tt.status)
			}
			if !strings.Contains(e.Message, tt.words) || len(e.Message) > 510 || strings.Contains(e.Message, "\n") {
				t.Errorf("message %q does not hold %q in one short line", e.Message, tt.words)
			}
		})
	}
}

func TestStream_WhatIsNoAnswerIsAnError(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       llm.Kind
		words      string
	}{
		{"JSON error with 200", "{\n\"error\": {\"message\": \"no such deployment\"}}", llm.KindServer, "no such deployment"},
		{"JSON error with 200 and a code", `{"error":{"message":"slow down","code":429}}`, llm.KindRateLimit, "slow down"},
		{"web page with 200", "\n\n<html><title>Sign in</title></html>", llm.KindServer, "Sign in; check the base URL"},
		{"plain text with 200", "upstream connect error", llm.KindServer, "upstream connect error"},
		{"broken JSON with 200", `{"choices":[`, llm.KindServer, "not an event stream"},
		{"error first in the stream", events(`{"error":{"message":"overloaded","type":"overloaded_error"}}`), llm.KindServer, "overloaded"},
		{"error as a string", events(`{"error":"boom"}`), llm.KindServer, "boom"},
		{"error without a message", events(`{"error":{"code":500}}`), llm.KindServer, "internal server error"},
		{"error after other fields", events(`{"id":"x","choices":[],"error":{"message":"boom"}}`), llm.KindServer, "boom"},
		{"error in the choice", events(`{"choices":[{"delta":{},"finish_reason":"error","error":{"message":"boom","code":502}}]}`), llm.KindServer, "boom"},
		{"error by finish reason alone", events(finish("error")), llm.KindServer, "ended the answer with an error"},
		{"error in an event of that name", "event: error\n" + events(`{"type":"error","error":{"message":"boom"}}`), llm.KindServer, "boom"},
		{"malformed event", events(`{"choices":[}`), llm.KindServer, "not JSON"},
		{"nothing but [DONE]", events(), llm.KindServer, "empty answer"},
		{"an endless event", "data: " + strings.Repeat("x", 5<<20) + "\n\n", llm.KindServer, "larger than 4 MiB"},
		{"an endless event of short lines", strings.Repeat("data: "+strings.Repeat("x", 1<<10)+"\n", 5<<10), llm.KindServer, "larger than 4 MiB"},
		{"nothing", "", llm.KindTruncated, "closed the connection"},
		{"comments alone", ": a\n\n: b\n\n", llm.KindTruncated, "closed the connection"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read(t, tt.body)
			wantKind(t, err, tt.want)
			if !strings.Contains(err.Error(), tt.words) {
				t.Errorf("error %q does not hold %q", err, tt.words)
			}
			if got.Finish != "" || len(got.Calls) > 0 {
				t.Errorf("after an error came %+v", got)
			}
		})
	}
}

func TestStream_ACutAnswerIsTruncatedAndItsCallsAreHeldBack(t *testing.T) {
	said, asked := delta(`{"content":"so far"}`), calling(`{"index":0,"id":"c1","function":{"name":"buy","arguments":"{}"}}`)
	for name, body := range map[string]string{
		"between events": cutEvents(said, asked),
		"in a line":      cutEvents(said, asked) + `data: {"choices":[{"del`,
		"in a call":      cutEvents(said, calling(`{"index":0,"id":"c1","function":{"name":"buy","arguments":"{\"n\":1"}}`)),
	} {
		t.Run(name, func(t *testing.T) {
			server := fakeDoerWith(stream(body))
			got, err := collect(t.Context(), newModel(t, server), hello())
			wantKind(t, err, llm.KindTruncated)
			if got.Text != "so far" || len(got.Calls) != 0 {
				t.Errorf("got %+v, want the text and no call", got)
			}
			if server.count() != 1 {
				t.Errorf("%d requests: an answer that was shown must not be asked for again", server.count())
			}
		})
	}
}

func TestStream_NetworkErrorsShowNeitherKeyNorURL(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for _, tt := range []struct {
		name string
		err  error
	}{
		{"refused", &url.Error{Op: "Post", URL: "https://llm.example/v1?key=" + canary, Err: refused}},
		{"proxy quotes the key", errors.New("proxy says: bad header Authorization: Bearer " + canary)},
		{"proxy quotes it escaped", errors.New("GET //user:hunter22@proxy/?api_key=abcdefghijk")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := collect(t.Context(), newModel(t, fakeDoerWith(failing(tt.err)), once), hello())
			wantKind(t, err, llm.KindNetwork)
			for ; err != nil && err != tt.err; err = errors.Unwrap(err) {
				for _, secret := range []string{canary, "hunter22", "abcdefghijk", "Post "} {
					if strings.Contains(err.Error(), secret) {
						t.Errorf("%q holds %q", err, secret)
					}
				}
			}
		})
	}
	_, err := collect(t.Context(), newModel(t, fakeDoerWith(failing(refused))), hello())
	if !errors.Is(err, syscall.ECONNREFUSED) || !strings.Contains(err.Error(), "llm.example could not be reached") {
		t.Errorf("refused connection = %v, want the host and the cause", err)
	}
}

func TestStream_KeysOfAnyShapeAreTakenOutOfMessages(t *testing.T) {
	for _, secret := range []string{"sk-proj-abcdef****wxyz", "gsk_0123456789", "AIzaSyA0123456789abc", "xai-0123456789", "Bearer opaque0123456", "custom-header-secret"} {
		server := fakeDoerWith(status(http.StatusBadRequest, `{"error":"you sent `+secret+` to us"}`))
		m := newModel(t, server, once, func(c *openai.Config) { c.Header = http.Header{"X-Key": {"custom-header-secret"}} })
		_, err := collect(t.Context(), m, hello())
		if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "[key]") {
			t.Errorf("error %v shows %s", err, secret)
		}
	}
}

func TestStream_MessagesAreSafeForTheScreen(t *testing.T) {
	server := fakeDoerWith(status(http.StatusBadRequest, `{"error":"a\u001b[31m\nb\u0007`+strings.Repeat("é", 400)+`"}`))
	_, err := collect(t.Context(), newModel(t, server, once), hello())
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\x07\n") || !strings.Contains(err.Error(), "a[31m b") || strings.Contains(err.Error(), "\ufffd") {
		t.Errorf("error %q", err)
	}
}
