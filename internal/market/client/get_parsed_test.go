package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// countingParser parses the bodies that body returns, and counts the calls. A zero is an error.
type countingParser struct{ times int }

func (r *countingParser) parse(text []byte) ([]int, error) {
	r.times++
	var b struct{ N int }
	if json.Unmarshal(text, &b) != nil || b.N == 0 {
		return nil, market.ErrMalformed
	}
	return []int{b.N}, nil
}

func TestGetParsed_WhatWasCheckedIsNotParsedAgain(t *testing.T) {
	tagged := body("1")
	tagged.Header.Set("ETag", `"a1"`)
	tests := []struct {
		name    string
		answers []markettest.Response
		request client.Request
		after   time.Duration // until the second request
		want    []int         // how often each request was parsed
	}{
		{"asked each time", []markettest.Response{body("1")}, quote(), 0, []int{1, 1}},
		{"fresh on the disk", []markettest.Response{body("1")}, cacheableRequest(), time.Minute, []int{1, 1}},
		{"asked anew", []markettest.Response{body("1")}, cacheableRequest(), time.Hour, []int{1, 1}},
		{"unchanged", []markettest.Response{tagged, {Status: 304}}, cacheableRequest(), time.Hour, []int{1, 1}},
		{"standing in", []markettest.Response{body("1"), {Status: 500}}, cacheableRequest(), time.Hour, []int{1, 1}},
		{"standing in for nonsense", []markettest.Response{body("1"), body("0")}, cacheableRequest(), time.Hour, []int{1, 2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newFixture(t, test.answers...)
			var times []int
			for range test.want {
				var r countingParser
				got, answer, err := client.GetParsed(t.Context(), d.source(), test.request, r.parse)
				if diff := cmp.Diff([]int{1}, got); err != nil || diff != "" || answer.Status != http.StatusOK {
					t.Fatalf("Parsed = %v of status %d, %v; want 1", got, answer.Status, err)
				}
				times = append(times, r.times)
				d.now = d.now.Add(test.after)
			}
			if diff := cmp.Diff(test.want, times); diff != "" {
				t.Errorf("parsed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGetParsed_WhatDoesNotParseIsNotKept(t *testing.T) {
	d := newFixture(t, body("0"), body("2"))
	var r countingParser
	_, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), r.parse)
	from, ok := errors.AsType[*market.SourceError](err)
	if !ok || !errors.Is(err, market.ErrMalformed) || from.Op != "quote of AAPL" || from.Source != "example" {
		t.Fatalf("Parsed = %v, want an ErrMalformed of the source", err)
	}
	if got, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), r.parse); err != nil || got[0] != 2 {
		t.Errorf("then Parsed = %v, %v; want it asked anew", got, err)
	}
}

// A later version of the program may parse fewer or more responses than the one that cached them.
func TestGetParsed_AKeptAnswerThatDoesNotParseIsAnErrorOfTheSource(t *testing.T) {
	d := newFixture(t, body("1"))
	got(t, d, cacheableRequest())
	_, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), func([]byte) (int, error) { return 7, market.ErrNoData })
	if _, ok := errors.AsType[*market.SourceError](err); !ok || !errors.Is(err, market.ErrNoData) {
		t.Errorf("Parsed = %v, want an ErrNoData of the source", err)
	}
}

func TestGetParsed_AKeptAnswerThatIsNoneIsAskedForAnew(t *testing.T) {
	forever := cacheableRequest()
	forever.Fresh = client.Forever
	d := newFixture(t, body("0"), body("2"))
	got(t, d, forever)
	var r countingParser
	for _, want := range []market.CacheState{market.CacheMiss, market.CacheHit} {
		d.now = d.now.Add(time.Hour)
		found, answer, err := client.GetParsed(t.Context(), d.source(), forever, r.parse)
		if diff := cmp.Diff([]int{2}, found); err != nil || diff != "" || answer.Cache != want {
			t.Errorf("Parsed = %v (%s), %v; want 2 (%s)", found, answer.Cache, err, want)
		}
	}
	if n := len(d.script.Requests()); n != 2 {
		t.Errorf("%d questions, want one beside that of the earlier program", n)
	}
}

// unchangedServer is a server that reports its page as unchanged to every client that has a copy from the
// same day.
type unchangedServer struct {
	page    string
	headers []http.Header
}

func (u *unchangedServer) RoundTrip(r *http.Request) (*http.Response, error) {
	u.headers = append(u.headers, r.Header)
	answer := &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(strings.NewReader(u.page)),
		Header: http.Header{"Last-Modified": {"Fri, 20 Nov 2026 08:00:00 GMT"}, "Etag": {`"a1"`}},
	}
	if r.Header.Get("If-Modified-Since") != "" || r.Header.Get("If-None-Match") != "" {
		answer.StatusCode, answer.Body = http.StatusNotModified, http.NoBody
	}
	return answer, nil
}

// If the request included the validator of a copy that does not parse, the server would confirm that copy.
func TestGetParsed_AUselessCopyIsNeitherShownToTheServerNorConfirmed(t *testing.T) {
	for _, row := range []struct {
		name  string
		after time.Duration
		want  []string // what was sent as If-Modified-Since
	}{
		{"fresh", time.Minute, []string{"", ""}},
		{"no longer fresh", time.Hour, []string{"", ""}},
	} {
		t.Run(row.name, func(t *testing.T) {
			server := &unchangedServer{page: `{"n":0}`}
			now, dir := time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC), t.TempDir()
			source := client.New(client.Options{Dir: dir, Transport: server, Now: func() time.Time { return now }}).Source(fastPolicy)
			if _, err := source.Get(t.Context(), cacheableRequest()); err != nil {
				t.Fatal(err)
			}
			server.page = `{"n":2}` // fixed within the same second, so the validator does not change
			now = now.Add(row.after)
			var r countingParser
			for _, want := range []market.CacheState{market.CacheMiss, market.CacheHit} {
				found, answer, err := client.GetParsed(t.Context(), source, cacheableRequest(), r.parse)
				if diff := cmp.Diff([]int{2}, found); err != nil || diff != "" || answer.Cache != want {
					t.Errorf("Parsed = %v (%s), %v; want 2 (%s)", found, answer.Cache, err, want)
				}
			}
			var sent []string
			for _, h := range server.headers {
				if sent = append(sent, h.Get("If-Modified-Since")); (sent[len(sent)-1] == "") != (h.Get("If-None-Match") == "") {
					t.Errorf("If-None-Match %q beside If-Modified-Since %q, want both or neither", h.Get("If-None-Match"), sent[len(sent)-1])
				}
			}
			if diff := cmp.Diff(row.want, sent); diff != "" {
				t.Errorf("If-Modified-Since (-want +got):\n%s", diff)
			}
		})
	}
}

// As long as the server has nothing better, the copy is neither confirmed nor renewed.
func TestGetParsed_AUselessPageThatIsUnchangedIsAnErrorAndGetsNoNewDay(t *testing.T) {
	for name, after := range map[string]time.Duration{"fresh": time.Minute, "no longer fresh": time.Hour} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			httpClient := client.Options{Dir: d.dir, Transport: &unchangedServer{page: `{"n":0}`}, Now: func() time.Time { return d.now }}
			source := client.New(httpClient).Source(fastPolicy)
			if _, err := source.Get(t.Context(), cacheableRequest()); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(d.file(t))
			if err != nil {
				t.Fatal(err)
			}
			d.now = d.now.Add(after)
			var r countingParser
			if found, _, err := client.GetParsed(t.Context(), source, cacheableRequest(), r.parse); !errors.Is(err, market.ErrMalformed) {
				t.Errorf("Parsed = %v, %v; want ErrMalformed", found, err)
			}
			if kept, err := os.ReadFile(d.file(t)); err != nil || !bytes.Equal(before, kept) {
				t.Errorf("kept: %s, %v; want it as it was: %s", kept, err, before)
			}
		})
	}
}

func TestGetParsed_AKeptAnswerThatIsNoneIsNotReadWhereTheSourceIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFixture(t, body("0"), markettest.Response{Status: 503})
		got(t, d, cacheableRequest())
		d.now = d.now.Add(time.Minute)
		var r countingParser
		if found, _, err := client.GetParsed(t.Context(), d.source(), cacheableRequest(), r.parse); !errors.Is(err, market.ErrUnavailable) {
			t.Errorf("Parsed = %v, %v; want ErrUnavailable", found, err)
		}
	})
}

func TestGetParsed_TheRequestsOwnCheckSpeaksFirst(t *testing.T) {
	refusal := func(a client.Response) error {
		switch {
		case a.Status == http.StatusBadRequest:
			return market.ErrUnknownSymbol
		case bytes.Contains(a.Body, []byte("limit")):
			return market.ErrRateLimited
		}
		return nil
	}
	for _, test := range []struct {
		name   string
		answer markettest.Response
		want   error
		parsed int
	}{
		{"of another status", markettest.Response{Status: 400}, market.ErrUnknownSymbol, 0},
		{"of another status that it does not know", markettest.Response{Status: 401}, market.ErrAuth, 0},
		{"of status 200", markettest.JSONResponse(`{"note":"limit"}`), market.ErrRateLimited, 0},
		{"passed on", markettest.JSONResponse(`{"note":"none"}`), market.ErrMalformed, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var r countingParser
				requests := quote()
				requests.Check = refusal
				script := markettest.NewScript(map[string]markettest.Response{"/quote": test.answer})
				_, answer, err := client.GetParsed(t.Context(), source(script, fastPolicy), requests, r.parse)
				if !errors.Is(err, test.want) || answer.Status != 0 || r.times != test.parsed {
					t.Errorf("Parsed = status %d, %v, parsed %d times; want %v, parsed %d times", answer.Status, err, r.times, test.want, test.parsed)
				}
			})
		})
	}
}

// Callers that share a request do not share its result, because each may change its own. A caller that leaves
// early reads nothing that the others' request still writes.
func TestGetParsed_IsOfOneCallerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := markettest.NewScript(map[string]markettest.Response{"/quote": body("1")})
		slow := transport(func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return script.RoundTrip(r)
		})
		s := source(slow, fastPolicy)
		first, leave := context.WithTimeout(t.Context(), time.Second/2)
		defer leave()
		var wg sync.WaitGroup
		wg.Go(func() {
			var r countingParser
			if got, _, err := client.GetParsed(first, s, cacheableRequest(), r.parse); !errors.Is(err, context.DeadlineExceeded) || got != nil {
				t.Errorf("who left: %v, %v; want the deadline", got, err)
			}
		})
		synctest.Wait()
		for range 4 {
			wg.Go(func() {
				var r countingParser
				got, _, err := client.GetParsed(t.Context(), s, cacheableRequest(), r.parse)
				if err != nil || len(got) != 1 || got[0] != 1 {
					t.Errorf("who stayed: %v, %v; want 1", got, err)
					return
				}
				got[0] = 0
			})
		}
		wg.Wait()
		if n := len(script.Requests()); n != 1 {
			t.Errorf("asked %d times, want once", n)
		}
	})
}

func TestStamped_SaysWhenAndWhetherItIsOld(t *testing.T) {
	at := time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC)
	base := market.Provenance{Source: "example", AsOf: at.Add(-time.Hour), Flags: []market.Flag{market.FlagDelayed}}
	for state, flags := range map[market.CacheState][]market.Flag{
		market.CacheMiss:  {market.FlagDelayed},
		market.CacheHit:   {market.FlagDelayed},
		market.CacheStale: {market.FlagDelayed, market.FlagStale},
	} {
		want := market.Provenance{Source: "example", AsOf: base.AsOf, FetchedAt: at, Cache: state, Flags: flags}
		if diff := cmp.Diff(want, client.Response{FetchedAt: at, Cache: state}.Stamp(base)); diff != "" {
			t.Errorf("Stamped of cache %q (-want +got):\n%s", state, diff)
		}
	}
}
