package client_test

import (
	"bytes"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// strictRequest rejects responses that an earlier program, or another caller, may have cached: 0 is not a
// response, and 3 lacks the requested data.
func strictRequest() client.Request {
	r := cacheableRequest()
	r.Check = func(a client.Response) error {
		switch {
		case bytes.Contains(a.Body, []byte(`"n":0`)):
			return market.ErrMalformed
		case bytes.Contains(a.Body, []byte(`"n":3`)):
			return market.ErrNoData
		}
		return nil
	}
	return r
}

func TestKeep_AUselessCopyIsNeverGivenOut(t *testing.T) {
	for _, row := range []struct {
		name         string
		kept, answer markettest.Response
		after        time.Duration
		want         string
	}{
		{"fresh, and the server has better", body("0"), body("2"), time.Minute, `{"n":2}`},
		{"fresh, and the server is silent", body("0"), markettest.Response{Status: 503}, time.Minute, "error: quote of AAPL from example: source unavailable: status 503"},
		{"old, and the server is silent", body("0"), markettest.Response{Status: 503}, time.Hour, "error: quote of AAPL from example: source unavailable: status 503"},
		{"fresh, and it answers that there is nothing", body("3"), body("2"), time.Minute, "error: quote of AAPL from example: no data in range: status 200"},
		{"old, and it answers that there is nothing", body("3"), markettest.Response{Status: 503}, time.Hour, "error: quote of AAPL from example: no data in range: status 200"},
		{"sound", body("1"), markettest.Response{Status: 503}, time.Hour, `{"n":1} stale`},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newFixture(t, row.kept, row.answer)
				got(t, d, cacheableRequest()) // without a Check
				d.now = d.now.Add(row.after)
				if text := got(t, d, strictRequest()); text != row.want {
					t.Errorf("Get = %s, want %s", text, row.want)
				}
			})
		})
	}
}

// The kind is checked too: a page cached as any kind is not JSON.
func TestKeep_ACopyOfAnotherKindIsAskedForAnew(t *testing.T) {
	d := newFixture(t, markettest.HTMLResponse(200, "Welcome"), body("2"))
	anything := cacheableRequest()
	anything.Kind = client.AnyBody
	got(t, d, anything)
	data := cacheableRequest()
	data.Kind = client.JSON
	if text := got(t, d, data); text != `{"n":2}` {
		t.Errorf("Get = %s, want it asked anew", text)
	}
}

// The error is what the server said last and when to try again, not that an old copy could not be parsed.
func TestGetParsed_AUselessCopyDoesNotHideWhyThereIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFixture(t, body("0"), markettest.Response{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"3600"}}})
		got(t, d, cacheableRequest())
		d.now = d.now.Add(time.Hour)
		var r countingParser
		_, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), r.parse)
		from, ok := errors.AsType[*market.SourceError](err)
		if !ok || !errors.Is(err, market.ErrRateLimited) || !from.RetryAt.Equal(d.now.Add(time.Hour)) {
			t.Errorf("Parsed = %v, want ErrRateLimited until %s", err, d.now.Add(time.Hour))
		}
	})
}

// A refusal cached on an earlier day says nothing about today.
func TestGetParsed_AKeptRefusalIsAskedForAnew(t *testing.T) {
	d := newFixture(t, body("0"), body("2"))
	got(t, d, cacheableRequest())
	limited := cacheableRequest()
	limited.Check = func(a client.Response) error {
		if bytes.Contains(a.Body, []byte(`"n":0`)) {
			return market.ErrRateLimited
		}
		return nil
	}
	var r countingParser
	if found, _, err := client.GetParsed(t.Context(), d.source(), limited, r.parse); err != nil || found[0] != 2 {
		t.Errorf("Parsed = %v, %v; want 2", found, err)
	}
}
