package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// dripping sends one part after each pause, then keeps the connection open.
func dripping(pause time.Duration, parts ...string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		r, w := io.Pipe()
		go func() {
			for _, p := range parts {
				time.Sleep(pause)
				if _, err := io.WriteString(w, p); err != nil {
					return
				}
			}
		}()
		return response(http.StatusOK, r), nil
	}
}

// noResponse holds the request until it is canceled.
func noResponse(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, context.Cause(req.Context())
}

func TestTimeout_SilenceEndsTheRequest(t *testing.T) {
	said := cutEvents(delta(`{"content":"a"}`))
	for _, tt := range []struct {
		name   string
		server func(*http.Request) (*http.Response, error)
		limits openai.Timeouts
		took   time.Duration
		words  string
	}{
		{"no response", noResponse, openai.Timeouts{}, 60 * time.Second, "no response for 1m0s"},
		{"no response, by the configured limit", noResponse, openai.Timeouts{FirstByte: time.Second}, time.Second, "no response for 1s"},
		{"headers, then nothing", dripping(0), openai.Timeouts{}, 90 * time.Second, "the answer stalled"},
		{"an event, then nothing", dripping(time.Second, said), openai.Timeouts{}, 91 * time.Second, "the answer stalled"},
		{"comments keep it alive", dripping(80*time.Second, ":\n", ":\n", ":\n"), openai.Timeouts{}, 330 * time.Second, "the answer stalled"},
		{"an error body that stalls", func(*http.Request) (*http.Response, error) {
			r, _ := io.Pipe()
			return response(http.StatusBadRequest, r), nil
		}, openai.Timeouts{Idle: time.Second}, time.Second, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := fakeDoerWith(tt.server)
				start := time.Now()
				_, err := collect(t.Context(), newModel(t, server, func(c *openai.Config) { c.Timeouts = tt.limits }), hello())
				wantKind(t, err, llm.KindTimeout)
				if time.Since(start) != tt.took || server.count() != 1 {
					t.Errorf("%d requests in %s, want one in %s", server.count(), time.Since(start), tt.took)
				}
				if !strings.Contains(err.Error(), tt.words) {
					t.Errorf("error %q does not hold %q", err, tt.words)
				}
			})
		})
	}
}

func TestTimeout_NoneWhereTheConfigurationSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeDoerWith(dripping(time.Hour, events(delta(`{"content":"slow"}`), finish("stop"))))
		m := newModel(t, server, func(c *openai.Config) { c.Timeouts = openai.Timeouts{FirstByte: -1, Idle: -1} })
		got, err := collect(t.Context(), m, hello())
		if err != nil || got.Text != "slow" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestTimeout_AnAnswerThatIsDoneIsNotWaitedOn(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		took time.Duration
	}{
		"after the finish reason": {cutEvents(delta(`{"content":"a"}`), finish("stop")), 5 * time.Second},
		"after [DONE]":            {events(delta(`{"content":"a"}`), finish("stop")), 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				got, err := collect(t.Context(), newModel(t, fakeDoerWith(dripping(0, tt.body))), hello())
				if err != nil || got.Text != "a" || got.Finish != llm.FinishStop || time.Since(start) != tt.took {
					t.Errorf("got %+v, %v after %s; want the answer after %s", got, err, time.Since(start), tt.took)
				}
			})
		})
	}
}

// After a server has reported the end of its answer, keep-alive comments do not make the turn wait.
// Data that it still sends is read.
func TestTimeout_SignsOfLifeAfterTheEndAreNotWaitedOn(t *testing.T) {
	for name, tt := range map[string]struct {
		pause time.Duration
		parts []string
		text  string
		took  time.Duration
	}{
		"after the finish reason": {time.Second, []string{cutEvents(delta(`{"content":"a"}`), finish("stop"))}, "a", 6 * time.Second},
		"and more of the answer":  {4 * time.Second, []string{cutEvents(delta(`{"content":"a"}`), finish("stop")), cutEvents(delta(`{"content":"b"}`))}, "ab", 13 * time.Second},
		"after [DONE]":            {40 * time.Millisecond, []string{events(delta(`{"content":"a"}`), finish("stop"))}, "a", 90 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parts := append(tt.parts, slices.Repeat([]string{": still here\n\n"}, 100)...)
				start := time.Now()
				got, err := collect(t.Context(), newModel(t, fakeDoerWith(dripping(tt.pause, parts...))), hello())
				if err != nil || got.Text != tt.text || got.Finish != llm.FinishStop || time.Since(start) != tt.took {
					t.Errorf("got %+v, %v after %s; want the answer after %s", got, err, time.Since(start), tt.took)
				}
				time.Sleep(2 * tt.pause) // for the server to see that nobody listens
			})
		})
	}
}

func TestStream_CancellingEndsItAtOnceWithTheContextsError(t *testing.T) {
	for name, server := range map[string]func(*http.Request) (*http.Response, error){
		"before the response":    noResponse,
		"before the first token": dripping(0, ":\n"),
		"in the middle":          dripping(0, cutEvents(delta(`{"content":"a"}`))),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(time.Second, cancel)
				start := time.Now()
				_, err := collect(ctx, newModel(t, fakeDoerWith(server)), hello())
				if err != context.Canceled || time.Since(start) != time.Second {
					t.Errorf("ended with %v after %s, want context.Canceled after 1s", err, time.Since(start))
				}
			})
		})
	}
}

func TestStream_AConsumerThatTurnsAwayEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var body *closing
		server := fakeDoerWith(func(*http.Request) (*http.Response, error) {
			body = &closing{Reader: strings.NewReader(cutEvents(delta(`{"content":"a"}`), delta(`{"content":"b"}`)))}
			return response(http.StatusOK, body), nil
		})
		for c, err := range newModel(t, server).Stream(t.Context(), hello()) {
			if err != nil || c.Text != "a" {
				t.Fatalf("first chunk %+v, %v", c, err)
			}
			break
		}
		if !body.closed || server.count() != 1 {
			t.Errorf("closed %v after %d requests, want the body closed and no retry", body.closed, server.count())
		}
	})
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestStream_AContextThatHasEndedSendsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	server := fakeDoerWith(noResponse)
	if _, err := collect(ctx, newModel(t, server), hello()); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
