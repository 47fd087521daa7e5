package websearch_test

import (
	"errors"
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
	searxngPath = "/searx/search"
	searxngBase = "http://127.0.0.1/searx/" // the answers come from memory
	searxngBody = `{"query":"rates","number_of_results":0,"results":[
		{"title":"First\npage","url":"https://example.com/1","content":"some text","engine":"x","publishedDate":"2026-09-20T00:00:00","score":3.0},
		{"title":"Second","url":"http://example.com/2","content":"","publishedDate":null},
		{"title":"A script","url":"javascript:alert(1)"}],"answers":[],"unresponsive_engines":[["google","CAPTCHA"]]}`
)

var searxngNoon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func newSearXNGSource(script *markettest.Script, address string) *websearch.SearXNG {
	return websearch.NewSearXNG(client.New(client.Options{Transport: script, Now: func() time.Time { return searxngNoon }}), client.ProviderOptions{BaseURL: address})
}

func searxngAnswering(a markettest.Response) *websearch.SearXNG {
	return newSearXNGSource(markettest.NewScript(map[string]markettest.Response{searxngPath: a}), searxngBase)
}

func TestSearXNG_SearchWebReturnsPages(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{searxngPath + "?format=json&q=what+moves+rates": markettest.JSONResponse(searxngBody)})
	got, err := newSearXNGSource(script, searxngBase).SearchWeb(t.Context(), " what\nmoves rates", 5)
	want := []market.WebResult{
		{Title: "First page", URL: "https://example.com/1", Snippet: "some text", Published: time.Date(2026, 9, 20, 0, 0, 0, 0, time.UTC)},
		{Title: "Second", URL: "http://example.com/2"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.WebResult{}, "Provenance")); err != nil || diff != "" {
		t.Fatalf("SearchWeb: %v (-want +got):\n%s", err, diff)
	}
	for _, one := range got {
		if p := one.Provenance; p.Source != "searxng" || p.AsOf.IsZero() || !p.FetchedAt.Equal(searxngNoon) {
			t.Errorf("provenance of %q = %+v", one.Title, p)
		}
	}
	if got, err := searxngAnswering(markettest.JSONResponse(searxngBody)).SearchWeb(t.Context(), "x", 1); err != nil || len(got) != 1 {
		t.Errorf("SearchWeb for one = %d, %v", len(got), err)
	}
	if got, err := searxngAnswering(markettest.JSONResponse(`{"results":[],"unresponsive_engines":[]}`)).SearchWeb(t.Context(), "x", 1); err != nil || len(got) != 0 {
		t.Errorf("SearchWeb that finds nothing = %v, %v; want nothing and no error", got, err)
	}
}

func TestSearchWeb_WithoutAnInstanceOrAQuestion(t *testing.T) {
	script := markettest.NewScript(nil)
	if _, err := newSearXNGSource(script, " ").SearchWeb(t.Context(), "x", 1); !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "SEARXNG_URL") {
		t.Errorf("SearchWeb without an instance = %v, want ErrNotConfigured that says how to name one", err)
	}
	if _, err := newSearXNGSource(script, searxngBase).SearchWeb(t.Context(), "\t", 1); !errors.Is(err, market.ErrNoData) || len(script.Requests()) != 0 {
		t.Errorf("SearchWeb of nothing = %v, want ErrNoData", err)
	}
}

func TestSearchWeb_A403MeansThatJSONIsOff(t *testing.T) {
	_, err := searxngAnswering(markettest.HTMLResponse(403, "Forbidden")).SearchWeb(t.Context(), "x", 1)
	if !errors.Is(err, market.ErrAuth) || !strings.Contains(err.Error(), "search.formats") {
		t.Errorf("SearchWeb = %v, want ErrAuth that says what to set", err)
	}
}

func TestSearXNG_BadResponsesMapToSentinels(t *testing.T) {
	for _, bad := range append(markettest.BadResponses([]byte(searxngBody)),
		markettest.BadResponse{Name: "silent engines", Response: markettest.JSONResponse(`{"results":[],"unresponsive_engines":[["google","CAPTCHA"]]}`), Want: market.ErrUnavailable},
		markettest.BadResponse{Name: "no results", Response: markettest.JSONResponse(`{}`), Want: market.ErrMalformed},
		markettest.BadResponse{Name: "null", Response: markettest.JSONResponse(`null`), Want: market.ErrMalformed},
	) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if _, err := searxngAnswering(bad.Response).SearchWeb(t.Context(), "rates", 5); !errors.Is(err, bad.Want) {
					t.Errorf("SearchWeb = %v, want %v", err, bad.Want)
				}
			})
		})
	}
}

func FuzzSearXNGSearchWeb(f *testing.F) {
	f.Add(searxngBody)
	f.Add(`{"results":null}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := searxngAnswering(markettest.JSONResponse(body)).SearchWeb(t.Context(), "x", 5)
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
