package openai_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// The whole client with a real transport, through every fault of a server.
func TestServer_Faults(t *testing.T) {
	turn := llmtest.Turn{
		Text: []string{"Let me ", "see."}, Usage: llm.Usage{InputTokens: 5, OutputTokens: 3, CachedTokens: 1},
		Calls: []llm.ToolCall{call("c1", "quote", `{"symbol":"VTI"}`), call("c2", "now", `{}`)},
	}
	type outcome struct {
		kind     llm.Kind // "" means the whole turn came
		requests int
	}
	want := map[string]outcome{
		"401":               {llm.KindAuth, 1},
		"429-twice-then-ok": {"", 3},
		"429-forever":       {llm.KindRateLimit, 4},
		"503-twice-then-ok": {"", 3},
		"context-too-long":  {llm.KindContextLength, 1},
		"cut":               {llm.KindTruncated, 1},
		"cut-in-line":       {llm.KindTruncated, 1},
		"cut-at-once":       {llm.KindTruncated, 2},
		"cut-then-401":      {llm.KindTruncated, 1},
		"endless":           {llm.KindTruncated, 1},
		"keep-alives":       {"", 1},
		"empty-data":        {"", 1},
		"multi-line-data":   {"", 1},
		"bom":               {"", 1},
		"crlf":              {"", 1},
		"no-done":           {"", 1},
		"error-event":       {"", 2},
		"json-200":          {llm.KindServer, 1},
		"html-200":          {llm.KindServer, 1},
		"no-index":          {"", 1},
		"silence":           {llm.KindTimeout, 1},
		"mute":              {llm.KindTimeout, 1},
	}
	for name, replies := range llmtest.Faults(turn) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.StartServer(replies...)
			defer server.Close()
			var log bytes.Buffer
			got, err := collect(t.Context(), impatientModel(t, server.URL, &log), hello())
			if llm.KindOf(err) != want[name].kind || (err == nil) != (want[name].kind == "") {
				t.Fatalf("ended with %v, want kind %q", err, want[name].kind)
			}
			if n := len(server.Requests()); n != want[name].requests {
				t.Errorf("%d requests, want %d", n, want[name].requests)
			}
			if err == nil {
				ids := cmpopts.IgnoreFields(llm.ToolCall{}, "ID")
				all := answer{Text: "Let me see.", Calls: turn.Calls, Finish: llm.FinishToolCalls, Usage: &turn.Usage}
				if diff := cmp.Diff(all, got, ids); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			if err != nil && strings.Contains(err.Error(), canary) || strings.Contains(log.String(), canary) {
				t.Errorf("the key is shown: %v\n%s", err, log.String())
			}
			if log.Len() == 0 {
				t.Error("nothing was logged")
			}
		})
	}
}

// impatientModel returns a model with timeouts as short as a real clock allows.
func impatientModel(t *testing.T, base string, log *bytes.Buffer) *openai.Model {
	t.Helper()
	m, err := openai.New(openai.Config{
		BaseURL: base, APIKey: canary, Model: "m", Log: zerolog.New(log),
		Timeouts: openai.Timeouts{FirstByte: time.Second, Idle: time.Second},
		Retry:    openai.Retry{Base: time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestServer_OneConnectionServesAConversation(t *testing.T) {
	var opened atomic.Int32
	reply := llmtest.Answer(llmtest.Say("hi"))
	server := httptest.NewUnstartedServer(http.HandlerFunc(reply))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	m := newModel(t, nil, func(c *openai.Config) { c.BaseURL, c.HTTPClient = server.URL, nil })
	for range 5 {
		if got, err := collect(t.Context(), m, hello()); err != nil || got.Text != "hi" {
			t.Fatalf("got %+v, %v", got, err)
		}
	}
	if opened.Load() != 1 {
		t.Errorf("%d connections for 5 answers, want 1", opened.Load())
	}
}

func TestServer_CancelEndsASilentAnswer(t *testing.T) {
	server := llmtest.StartServer(llmtest.Silence(llmtest.Say("a"), 2))
	defer server.Close()
	// Without a limit, an answer that ignores the cancellation would never end.
	m := newModel(t, nil, func(c *openai.Config) {
		c.BaseURL, c.HTTPClient, c.Timeouts = server.URL, nil, openai.Timeouts{FirstByte: -1, Idle: -1}
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	text := ""
	for c, err := range m.Stream(ctx, hello()) {
		if text += c.Text; c.Text != "" {
			cancel()
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v, want that it was cancelled", err)
		}
	}
	if text == "" {
		t.Fatal("no text came")
	}
}

func TestServer_ARedirectIsNotFollowedWithTheKey(t *testing.T) {
	elsewhere := llmtest.StartServer(llmtest.Answer(llmtest.Say("stolen")))
	defer elsewhere.Close()
	server := llmtest.StartServer(llmtest.Status(http.StatusTemporaryRedirect, "", "Location", elsewhere.URL+"/chat/completions"))
	defer server.Close()
	m := newModel(t, nil, func(c *openai.Config) { c.BaseURL, c.HTTPClient = server.URL, nil })
	_, err := collect(t.Context(), m, hello())
	wantKind(t, err, llm.KindBadRequest)
	if len(elsewhere.Requests()) != 0 {
		t.Error("the redirect was followed")
	}
}

func TestServer_NobodyThereIsSaidAtOnce(t *testing.T) {
	server := llmtest.StartServer()
	server.Close()
	m := newModel(t, nil, func(c *openai.Config) { c.BaseURL, c.HTTPClient = server.URL, nil })
	_, err := collect(t.Context(), m, hello())
	wantKind(t, err, llm.KindNetwork)
	if !strings.Contains(err.Error(), "127.0.0.1 could not be reached") {
		t.Errorf("error %q", err)
	}
}

func TestServer_AModelServesManyAtOnce(t *testing.T) {
	server := llmtest.StartServer(slices.Repeat([]llmtest.Reply{llmtest.Answer(llmtest.Say("a", "b"))}, 16)...)
	defer server.Close()
	m := newModel(t, nil, func(c *openai.Config) { c.BaseURL, c.HTTPClient = server.URL, nil })
	results := make(chan answer)
	for range 16 {
		go func() {
			got, err := collect(t.Context(), m, hello())
			if err != nil {
				t.Error(err)
			}
			results <- got
		}()
	}
	for range 16 {
		if got := <-results; got.Text != "ab" {
			t.Errorf("got %+v", got)
		}
	}
}
