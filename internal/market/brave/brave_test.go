package brave_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/brave"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
)

const (
	base   = "http://127.0.0.1" // the answers come from memory
	path   = "/res/v1/web/search"
	secret = "BSA0123456789"
	body   = `{"type":"search","query":{"original":"rates"},"web":{"type":"search","results":[
		{"title":"<strong>Rates</strong> &amp; bonds","url":"https://example.com/1","description":"the Fed&#x27;s <strong>rates</strong>","age":"2 days ago","page_age":"2026-09-23T08:30:00"},
		{"title":"Second","url":"https://example.com/2","description":"more"},
		{"title":"A file","url":"file:///etc/passwd","description":"x"}]}}`
	wrongKey = `{"type":"ErrorResponse","error":{"id":"x","status":422,"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}`
)

var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper, dir string) *brave.Source {
	return brave.New(fetch.New(fetch.Options{Transport: carrier, Dir: dir, Now: func() time.Time { return noon }}),
		brave.Options{BaseURL: base, Key: func() string { return secret }})
}

func answering(a fetchtest.Answer) *brave.Source {
	return sourceOf(fetchtest.New(map[string]fetchtest.Answer{path: a}), "")
}

func TestSearchWeb_GivesPages(t *testing.T) {
	got, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), "rates", 5)
	want := []market.WebResult{
		{Title: "Rates & bonds", URL: "https://example.com/1", Snippet: "the Fed's rates", Published: time.Date(2026, 9, 23, 8, 30, 0, 0, time.UTC)},
		{Title: "Second", URL: "https://example.com/2", Snippet: "more"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.WebResult{}, "Provenance")); err != nil || diff != "" {
		t.Fatalf("SearchWeb: %v (-want +got):\n%s", err, diff)
	}
	for _, one := range got {
		if p := one.Provenance; p.Source != "brave" || p.AsOf.IsZero() || !p.FetchedAt.Equal(noon) {
			t.Errorf("provenance of %q = %+v", one.Title, p)
		}
	}
	if got, err := answering(fetchtest.Text(`{"type":"search"}`)).SearchWeb(t.Context(), "rates", 1); err != nil || len(got) != 0 {
		t.Errorf("SearchWeb that finds nothing = %v, %v; want nothing and no error", got, err)
	}
}

func TestSearchWeb_AsksWithinTheBoundsOfBrave(t *testing.T) {
	for _, c := range []struct {
		text         string
		limit        int
		query, count string
	}{
		{" what\tmoves  rates ", 5, "what moves rates", "5"},
		{strings.Repeat("w ", 60), 0, strings.TrimSpace(strings.Repeat("w ", 50)), "8"},
		{"x", 99, "x", "20"},
	} {
		script := fetchtest.New(map[string]fetchtest.Answer{path: fetchtest.Text(body)})
		if _, err := sourceOf(script, "").SearchWeb(t.Context(), c.text, c.limit); err != nil {
			t.Fatalf("SearchWeb(%.20q) = %v", c.text, err)
		}
		r := script.Asked()[0]
		if q := r.URL.Query(); q.Get("q") != c.query || q.Get("count") != c.count || r.Header.Get("X-Subscription-Token") != secret || strings.Contains(r.URL.String(), secret) {
			t.Errorf("asked %s, want %q, %s, and the key in the header", r.URL, c.query, c.count)
		}
	}
}

func TestSearchWeb_IsPaidForOnce(t *testing.T) {
	script := fetchtest.New(map[string]fetchtest.Answer{path: fetchtest.Text(body)})
	s := sourceOf(script, t.TempDir())
	for _, want := range []market.CacheState{market.CacheMiss, market.CacheHit} {
		got, err := s.SearchWeb(t.Context(), "rates", 5)
		if err != nil || got[0].Provenance.Cache != want {
			t.Fatalf("SearchWeb = %v, %v; want it from cache %q", got, err, want)
		}
	}
	if n := len(script.Asked()); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
}

func TestSearchWeb_NothingToAskOrNoKey(t *testing.T) {
	if _, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), " \n", 5); !errors.Is(err, market.ErrNoData) {
		t.Errorf("SearchWeb of nothing = %v, want ErrNoData", err)
	}
	script := fetchtest.New(nil)
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		_, err := brave.New(fetch.New(fetch.Options{Transport: script}), brave.Options{BaseURL: base, Key: key}).SearchWeb(t.Context(), "x", 1)
		if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set brave") || len(script.Asked()) != 0 {
			t.Errorf("%s key: SearchWeb = %v, want ErrNotConfigured that says how to set one", name, err)
		}
	}
}

func TestSearchWeb_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range append(fetchtest.BadDays([]byte(body)),
		fetchtest.BadDay{Name: "wrong key", Answer: fetchtest.Answer{Status: 422, Body: []byte(wrongKey)}, Want: market.ErrAuth},
		fetchtest.BadDay{Name: "200 with an error", Answer: fetchtest.Text(wrongKey), Want: market.ErrMalformed},
		fetchtest.BadDay{Name: "null", Answer: fetchtest.Text(`null`), Want: market.ErrMalformed},
		fetchtest.BadDay{Name: "the key in the answer", Answer: fetchtest.Answer{Status: 403, Body: []byte(`{"detail":"key ` + secret + `"}`)}, Want: market.ErrAuth},
	) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := answering(bad.Answer).SearchWeb(t.Context(), "rates", 5)
				if !errors.Is(err, bad.Want) || strings.Contains(err.Error(), secret) {
					t.Errorf("SearchWeb = %v, want %v without the key", err, bad.Want)
				}
			})
		})
	}
}

func FuzzSearchWeb(f *testing.F) {
	f.Add(body)
	f.Add(`{"type":"search","web":null}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), "x", 5)
		var from *market.SourceError
		if err != nil && !errors.As(err, &from) {
			t.Errorf("error %v is no *market.SourceError", err)
		}
		for _, one := range got {
			if one.Title == "" || !strings.HasPrefix(strings.ToLower(one.URL), "http") || strings.ContainsAny(one.Title+one.Snippet, "\x1b\n\r\x00") {
				t.Errorf("page %+v", one)
			}
		}
	})
}
