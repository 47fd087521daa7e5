package client_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// arrivals sends n requests at once and returns when they reached the server, in milliseconds after the first
// request.
func arrivals(t *testing.T, n int, sources ...*client.Source) []int64 {
	t.Helper()
	began := time.Now()
	var mu sync.Mutex
	var at []int64
	var wg sync.WaitGroup
	for i := range n {
		r := quote()
		r.Check = func(client.Response) error {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(began).Milliseconds())
			return nil
		}
		wg.Go(func() {
			if _, err := sources[i%len(sources)].Get(t.Context(), r); err != nil {
				t.Errorf("Get = %v", err)
			}
		})
	}
	wg.Wait()
	return at
}

func good() *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{"/quote": markettest.JSONResponse(`{}`)})
}

func TestPace_IsOfABucketOfTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := source(good(), client.Policy{Source: "yahoo", Rate: 2, Burst: 4})
		// Four at once, then one every half second; a pause of two seconds allows four again.
		if diff := cmp.Diff([]int64{0, 0, 0, 0, 500, 1000, 1500}, arrivals(t, 7, s)); diff != "" {
			t.Errorf("arrivals (-want +got):\n%s", diff)
		}
		time.Sleep(2 * time.Second)
		if diff := cmp.Diff([]int64{0, 0, 0, 0, 500}, arrivals(t, 5, s)); diff != "" {
			t.Errorf("after a pause (-want +got):\n%s", diff)
		}
	})
}

func TestPace_IsSharedBySourcesOfOneServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client.New(client.Options{Transport: good()})
		p := client.Policy{Source: "submissions", Shared: "sec.gov", Rate: 8}
		other := p
		other.Source = "archives"
		got := arrivals(t, 5, c.Source(p), c.Source(other))
		if diff := cmp.Diff([]int64{0, 125, 250, 375, 500}, got); diff != "" {
			t.Errorf("arrivals (-want +got):\n%s", diff)
		}
	})
}

func TestBreaker_IsKeptForTheNextRun(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want error
	}{
		"as written": {"", market.ErrRateLimited}, "damaged": {"soon", nil}, "too far ahead": {"2999-01-01T00:00:00Z", nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := client.Options{Transport: markettest.NewScript(nil).Respond("/quote", markettest.Response{Status: 429}), Dir: t.TempDir()}
			_, _ = client.New(o).Source(fastPolicy).Get(t.Context(), quote())
			if row.text != "" {
				write(t, filepath.Join(o.Dir, "limits", "example.until"), row.text)
			}
			o.Transport = good()
			if _, err := client.New(o).Source(fastPolicy).Get(t.Context(), quote()); !errors.Is(err, row.want) {
				t.Errorf("Get in the next run = %v, want %v", err, row.want)
			}
		})
	}
}

func TestPace_ALongLineIsTheNextSourcesTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Five per minute is one every 12 s. The fourth would wait for 36 s.
		s := source(good(), client.Policy{Source: "coingecko", Rate: 5.0 / 60})
		began := time.Now()
		var wg sync.WaitGroup
		var mu sync.Mutex
		var refused []error
		for range 5 {
			wg.Go(func() {
				if _, err := s.Get(t.Context(), quote()); err != nil {
					mu.Lock()
					defer mu.Unlock()
					refused = append(refused, err)
				}
			})
		}
		wg.Wait()
		if len(refused) != 2 {
			t.Fatalf("%d refused: %v, want 2 of 5", len(refused), refused)
		}
		for _, err := range refused {
			found, ok := errors.AsType[*market.SourceError](err)
			if !ok || !errors.Is(err, market.ErrRateLimited) || !found.RetryAt.Equal(began.Add(36*time.Second)) {
				t.Errorf("refused with %v, want ErrRateLimited until 36 s later", err)
			}
		}
	})
}

func TestPace_ATurnThatComesTooLateIsNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := source(good(), client.Policy{Source: "rss", Rate: 0.1})
		_ = arrivals(t, 1, s)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		if _, err := s.Get(ctx, quote()); !errors.Is(err, market.ErrRateLimited) || time.Since(began) > 0 {
			t.Errorf("Get = %v after %v, want ErrRateLimited at once", err, time.Since(began))
		}
		if diff := cmp.Diff([]int64{10000}, arrivals(t, 1, s)); diff != "" {
			t.Errorf("the next turn (-want +got):\n%s", diff)
		}
	})
}

func TestPace_AServerOfOnesOwnSetsNone(t *testing.T) {
	url := markettest.Serve(t, good())
	s := client.New(client.Options{}).Source(client.Policy{Source: "example", Rate: 0.001})
	for range 50 {
		if _, err := s.Get(t.Context(), client.Request{Op: "quote", URL: url + "/quote"}); err != nil {
			t.Fatalf("Get = %v", err)
		}
	}
}

func TestInFlight_NoMoreThanThePolicyAllows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		under, most := 0, 0
		count := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			under += by
			most = max(most, under)
		}
		script := good()
		slow := transport(func(r *http.Request) (*http.Response, error) {
			count(1)
			defer count(-1)
			time.Sleep(time.Second)
			return script.RoundTrip(r)
		})
		p := fastPolicy
		p.InFlight = 2
		arrivals(t, 9, source(slow, p))
		if most != 2 {
			t.Errorf("%d under way at once, want 2", most)
		}
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestBreaker_NothingIsAskedUntilTheTimeNamed(t *testing.T) {
	date := http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:02:00 GMT"}, "Date": {"Sat, 01 Jan 2000 00:00:30 GMT"}}
	tests := []struct {
		name   string
		answer markettest.Response
		check  error
		want   time.Duration
	}{
		{"seconds", markettest.Response{Status: 429, Header: markettest.RetryAfterHeader("40")}, nil, 40 * time.Second},
		{"date by the server's clock", markettest.Response{Status: 429, Header: date}, nil, 90 * time.Second},
		{"date by ours", markettest.Response{Status: 429, Header: markettest.RetryAfterHeader("Sat, 01 Jan 2000 00:02:00 GMT")}, nil, 2 * time.Minute},
		{"nothing named", markettest.Response{Status: 429}, nil, 5 * time.Minute},
		{"by a status of Yahoo", markettest.Response{Status: 999}, nil, 5 * time.Minute},
		{"nonsense", markettest.Response{Status: 429, Header: markettest.RetryAfterHeader("soon")}, nil, 5 * time.Minute},
		{"a date that is past", markettest.Response{Status: 429, Header: markettest.RetryAfterHeader("Sat, 01 Jan 1990 00:00:00 GMT")}, nil, time.Second},
		{"a year", markettest.Response{Status: 429, Header: markettest.RetryAfterHeader("31536000")}, nil, time.Hour},
		{"in words of status 200", markettest.JSONResponse(`{"Note":"slow down"}`), market.ErrRateLimited, 5 * time.Minute},
		{"by the check", markettest.JSONResponse(`{}`), &market.SourceError{Err: market.ErrRateLimited, RetryAt: time.Date(2000, 1, 1, 0, 3, 0, 0, time.UTC)}, 3 * time.Minute},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := markettest.NewScript(nil).Respond("/quote", test.answer)
				p := fastPolicy
				p.Breaker = 5 * time.Minute
				c, began := client.New(client.Options{Transport: script}), time.Now()
				s, other := c.Source(p), p
				other.Source, other.Shared = "other", p.Source
				r := quote()
				r.Check = func(client.Response) error { return test.check }
				_, _ = s.Get(t.Context(), r)
				requests := len(script.Requests())
				began = began.Add(time.Since(began)) // a short pause is waited for and requested again
				for who, s := range map[string]*client.Source{"the same source": s, "another of the server": c.Source(other)} {
					time.Sleep(time.Millisecond)
					_, err := s.Get(t.Context(), r)
					found, ok := errors.AsType[*market.SourceError](err)
					if !ok || !errors.Is(err, market.ErrRateLimited) || found.RetryAt.Sub(began).Round(time.Second) != test.want {
						t.Errorf("%s: Get = %v, want ErrRateLimited for %v", who, err, test.want)
					}
				}
				if n := len(script.Requests()); n != requests {
					t.Errorf("asked %d times more while shut", n-requests)
				}
				script.Respond("/quote", markettest.JSONResponse(`{}`))
				time.Sleep(test.want)
				if _, err := s.Get(t.Context(), quote()); err != nil {
					t.Errorf("after the pause: Get = %v", err)
				}
			})
		})
	}
}
