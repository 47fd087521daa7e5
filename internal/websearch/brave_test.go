package websearch_test

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
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/websearch"
)

const (
	braveBase   = "http://127.0.0.1" // the answers come from memory
	bravePath   = "/res/v1/web/search"
	braveSecret = "BSA0123456789"
	braveBody   = `{"type":"search","query":{"original":"rates"},"web":{"type":"search","results":[
		{"title":"<strong>Rates</strong> &amp; bonds","url":"https://example.com/1","description":"the Fed&#x27;s <strong>rates</strong>","age":"2 days ago","page_age":"2026-09-23T08:30:00"},
		{"title":"Second","url":"https://example.com/2","description":"more"},
		{"title":"A file","url":"file:///etc/passwd","description":"x"}]}}`
	braveWrongKey = `{"type":"ErrorResponse","error":{"id":"x","status":422,"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}`
)

var braveNoon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func newBraveSource(carrier http.RoundTripper, dir string) *websearch.Brave {
	return websearch.NewBrave(client.New(client.Options{Transport: carrier, Dir: dir, Now: func() time.Time { return braveNoon }}),
		client.ProviderOptions{BaseURL: braveBase, Key: func() string { return braveSecret }})
}

func braveAnswering(a markettest.Response) *websearch.Brave {
	return newBraveSource(markettest.NewScript(map[string]markettest.Response{bravePath: a}), "")
}

func TestBrave_SearchWebReturnsPages(t *testing.T) {
	got, err := braveAnswering(markettest.JSONResponse(braveBody)).SearchWeb(t.Context(), "rates", 5)
	want := []market.WebResult{
		{Title: "Rates & bonds", URL: "https://example.com/1", Snippet: "the Fed's rates", Published: time.Date(2026, 9, 23, 8, 30, 0, 0, time.UTC)},
		{Title: "Second", URL: "https://example.com/2", Snippet: "more"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.WebResult{}, "Provenance")); err != nil || diff != "" {
		t.Fatalf("SearchWeb: %v (-want +got):\n%s", err, diff)
	}
	for _, one := range got {
		if p := one.Provenance; p.Source != "brave" || p.AsOf.IsZero() || !p.FetchedAt.Equal(braveNoon) {
			t.Errorf("provenance of %q = %+v", one.Title, p)
		}
	}
	if got, err := braveAnswering(markettest.JSONResponse(`{"type":"search"}`)).SearchWeb(t.Context(), "rates", 1); err != nil || len(got) != 0 {
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
		script := markettest.NewScript(map[string]markettest.Response{bravePath: markettest.JSONResponse(braveBody)})
		if _, err := newBraveSource(script, "").SearchWeb(t.Context(), c.text, c.limit); err != nil {
			t.Fatalf("SearchWeb(%.20q) = %v", c.text, err)
		}
		r := script.Requests()[0]
		if q := r.URL.Query(); q.Get("q") != c.query || q.Get("count") != c.count || r.Header.Get("X-Subscription-Token") != braveSecret || strings.Contains(r.URL.String(), braveSecret) {
			t.Errorf("asked %s, want %q, %s, and the key in the header", r.URL, c.query, c.count)
		}
	}
}

func TestSearchWeb_IsPaidForOnce(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{bravePath: markettest.JSONResponse(braveBody)})
	s := newBraveSource(script, t.TempDir())
	for _, want := range []market.CacheState{market.CacheMiss, market.CacheHit} {
		got, err := s.SearchWeb(t.Context(), "rates", 5)
		if err != nil || got[0].Provenance.Cache != want {
			t.Fatalf("SearchWeb = %v, %v; want it from cache %q", got, err, want)
		}
	}
	if n := len(script.Requests()); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
}

func TestBrave_EmptyQueryOrNoKey(t *testing.T) {
	if _, err := braveAnswering(markettest.JSONResponse(braveBody)).SearchWeb(t.Context(), " \n", 5); !errors.Is(err, market.ErrNoData) {
		t.Errorf("SearchWeb of nothing = %v, want ErrNoData", err)
	}
	script := markettest.NewScript(nil)
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		_, err := websearch.NewBrave(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: braveBase, Key: key}).SearchWeb(t.Context(), "x", 1)
		if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set brave") || len(script.Requests()) != 0 {
			t.Errorf("%s key: SearchWeb = %v, want ErrNotConfigured that says how to set one", name, err)
		}
	}
}

func TestBrave_BadResponsesMapToSentinels(t *testing.T) {
	for _, bad := range append(markettest.BadResponses([]byte(braveBody)),
		markettest.BadResponse{Name: "wrong key", Response: markettest.Response{Status: 422, Body: []byte(braveWrongKey)}, Want: market.ErrAuth},
		markettest.BadResponse{Name: "200 with an error", Response: markettest.JSONResponse(braveWrongKey), Want: market.ErrMalformed},
		markettest.BadResponse{Name: "null", Response: markettest.JSONResponse(`null`), Want: market.ErrMalformed},
		markettest.BadResponse{Name: "the key in the answer", Response: markettest.Response{Status: 403, Body: []byte(`{"detail":"key ` + braveSecret + `"}`)}, Want: market.ErrAuth},
	) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := braveAnswering(bad.Response).SearchWeb(t.Context(), "rates", 5)
				if !errors.Is(err, bad.Want) || strings.Contains(err.Error(), braveSecret) {
					t.Errorf("SearchWeb = %v, want %v without the key", err, bad.Want)
				}
			})
		})
	}
}

func FuzzBraveSearchWeb(f *testing.F) {
	f.Add(braveBody)
	f.Add(`{"type":"search","web":null}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := braveAnswering(markettest.JSONResponse(body)).SearchWeb(t.Context(), "x", 5)
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
