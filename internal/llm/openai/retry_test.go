package openai_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/openai"
)

// half is the jitter in these tests, always one half, so that the first wait is 250 ms, the second
// 500 ms and the third 1 s.
const half = 500 * time.Millisecond

func ok() func(*http.Request) (*http.Response, error) {
	return stream(events(delta(`{"content":"fine"}`), finish("stop")))
}

func TestRetry_WhatMayPassIsAskedAgain(t *testing.T) {
	limited := func(headers ...string) func(*http.Request) (*http.Response, error) {
		return status(http.StatusTooManyRequests, `{"error":"slow down"}`, headers...)
	}
	down := status(http.StatusServiceUnavailable, "<html>busy</html>")
	reset := failing(syscall.ECONNRESET)
	type reply = func(*http.Request) (*http.Response, error)
	for _, tt := range []struct {
		name     string
		replies  []reply
		requests int
		took     time.Duration
		want     llm.Kind // "" means answered
	}{
		{"429 twice", []reply{limited(), limited(), ok()}, 3, half/2 + half, ""},
		{"429 for ever", []reply{limited()}, 4, half/2 + half + 2*half, llm.KindRateLimit},
		{"503 twice", []reply{down, down, ok()}, 3, half/2 + half, ""},
		{"408", []reply{status(408, ""), ok()}, 2, half / 2, ""},
		{"409", []reply{status(409, ""), ok()}, 2, half / 2, ""},
		{"529", []reply{status(529, ""), ok()}, 2, half / 2, ""},
		{"connection reset", []reply{reset, ok()}, 2, half / 2, ""},
		{"reset before the first event", []reply{breaking(": hi\n\n", syscall.ECONNRESET), ok()}, 2, half / 2, ""},
		{"error event before the first token", []reply{stream(events(`{"error":{"message":"x","code":502}}`)), ok()}, 2, half / 2, ""},
		{"error event with a type alone", []reply{stream(events(`{"error":{"message":"x","type":"server_error"}}`)), ok()}, 2, half / 2, ""},
		{"error event of unknown meaning", []reply{stream(events(`{"error":{"message":"x"}}`))}, 1, 0, llm.KindServer},
		{"address that does not answer", []reply{failing(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})}, 1, 0, llm.KindNetwork},
		{"address that takes too long", []reply{failing(&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded})}, 1, 0, llm.KindTimeout},
		{"name that is not known", []reply{failing(&net.DNSError{Err: "no such host", IsNotFound: true})}, 1, 0, llm.KindNetwork},
		{"cut before the first token, once", []reply{stream(cutEvents(delta(`{"role":"assistant"}`))), ok()}, 2, half / 2, ""},
		{"cut before the first token, twice", []reply{stream("")}, 2, half / 2, llm.KindTruncated},
		{"Retry-After in seconds", []reply{limited("Retry-After", "7"), ok()}, 2, 7 * time.Second, ""},
		{"Retry-After in milliseconds", []reply{limited("Retry-After-Ms", "1500.5", "Retry-After", "7"), ok()}, 2, 1500500 * time.Microsecond, ""},
		{"Retry-After as a date", []reply{limited("Retry-After", "Sat, 01 Jan 2000 00:00:09 GMT"), ok()}, 2, 9 * time.Second, ""},
		{"Retry-After in the past", []reply{limited("Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"), ok()}, 2, half / 2, ""},
		{"Retry-After unreadable", []reply{limited("Retry-After", "soon"), ok()}, 2, half / 2, ""},
		{"Retry-After negative", []reply{limited("Retry-After", "-5"), ok()}, 2, half / 2, ""},
		{"Retry-After beyond the budget", []reply{limited("Retry-After", "61"), ok()}, 1, 0, llm.KindRateLimit},
		{"Retry-After twice beyond the budget", []reply{limited("Retry-After", "40"), ok()}, 2, 40 * time.Second, ""},
		{"Retry-After sum beyond the budget", []reply{limited("Retry-After", "40")}, 2, 40 * time.Second, llm.KindRateLimit},

		{"401", []reply{status(401, "")}, 1, 0, llm.KindAuth},
		{"400", []reply{status(400, `{"error":"no"}`)}, 1, 0, llm.KindBadRequest},
		{"quota", []reply{status(429, `{"error":{"code":"insufficient_quota"}}`)}, 1, 0, llm.KindQuota},
		{"context too long as 500", []reply{status(500, `{"error":"maximum context length"}`)}, 1, 0, llm.KindContextLength},
		{"web page with 200", []reply{stream("<html></html>")}, 1, 0, llm.KindServer},
		{"reset after the first token", []reply{breaking(cutEvents(delta(`{"content":"a"}`)), syscall.ECONNRESET)}, 1, 0, llm.KindTruncated},
		{"reset after the first thought", []reply{breaking(cutEvents(delta(`{"reasoning":"a"}`)), syscall.ECONNRESET)}, 1, 0, llm.KindTruncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := fakeDoerWith(tt.replies...)
				start := time.Now()
				_, err := collect(t.Context(), newModel(t, server), hello())
				if got := llm.KindOf(err); got != tt.want || (err == nil) != (tt.want == "") {
					t.Errorf("ended with %v, want kind %q", err, tt.want)
				}
				if server.count() != tt.requests || time.Since(start) != tt.took {
					t.Errorf("%d requests in %s, want %d in %s", server.count(), time.Since(start), tt.requests, tt.took)
				}
			})
		})
	}
}

// breaking sends body and then fails with err.
func breaking(body string, err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return response(http.StatusOK, io.NopCloser(io.MultiReader(strings.NewReader(body), failingReader{err}))), nil
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

func TestRetry_TheStreamSaysWhyAndHowLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type heard struct {
			Kind llm.Kind
			Wait time.Duration
		}
		var got []heard
		server := fakeDoerWith(status(503, ""), status(429, "", "Retry-After", "3"), ok())
		for c, err := range newModel(t, server).Stream(t.Context(), hello()) {
			if err != nil {
				t.Fatal(err)
			}
			if c.Retry != nil {
				got = append(got, heard{llm.KindOf(c.Retry.Err), c.Retry.Wait})
			}
		}
		want := []heard{{llm.KindServer, half / 2}, {llm.KindRateLimit, 3 * time.Second}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if cmp.Diff(server.bodies[0], server.bodies[2]) != "" {
			t.Errorf("the third request differs from the first")
		}
	})
}

func TestRetry_WaitsStayBelowTheirBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeDoerWith(status(500, ""))
		m := newModel(t, server, func(c *openai.Config) {
			c.Retry = openai.Retry{Tries: 40, Budget: time.Hour, Max: 4 * time.Second, Jitter: func() float64 { return 0.999 }}
		})
		_, err := collect(t.Context(), m, hello())
		wantKind(t, err, llm.KindServer)
		for i := 1; i < len(server.at); i++ {
			if wait := server.at[i].Sub(server.at[i-1]); wait > 4*time.Second || i > 5 && wait < 3*time.Second {
				t.Errorf("wait %d was %s", i, wait)
			}
		}
		if len(server.at) != 40 {
			t.Errorf("%d tries, want 40", len(server.at))
		}
	})
}

func TestRetry_CancellingEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := collect(ctx, newModel(t, fakeDoerWith(status(429, "", "Retry-After", "30"))), hello())
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 2*time.Second {
			t.Errorf("ended with %v after %s", err, time.Since(start))
		}
	})
}

func TestRetry_LeavingAtTheNewsAsksNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := fakeDoerWith(status(503, ""), ok())
		for range newModel(t, server).Stream(t.Context(), hello()) {
			break
		}
		if server.count() != 1 {
			t.Errorf("%d requests, want 1", server.count())
		}
	})
}
