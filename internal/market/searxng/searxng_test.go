package searxng_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
	"github.com/nfa-cli/nfa/internal/market/searxng"
)

const (
	path = "/searx/search"
	base = "http://127.0.0.1/searx/" // the answers come from memory
	body = `{"query":"rates","number_of_results":0,"results":[
		{"title":"First\npage","url":"https://example.com/1","content":"some text","engine":"x","publishedDate":"2026-09-20T00:00:00","score":3.0},
		{"title":"Second","url":"http://example.com/2","content":"","publishedDate":null},
		{"title":"A script","url":"javascript:alert(1)"}],"answers":[],"unresponsive_engines":[["google","CAPTCHA"]]}`
)

var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(script *fetchtest.Script, address string) *searxng.Source {
	return searxng.New(fetch.New(fetch.Options{Transport: script, Now: func() time.Time { return noon }}), searxng.Options{BaseURL: address})
}

func answering(a fetchtest.Answer) *searxng.Source {
	return sourceOf(fetchtest.New(map[string]fetchtest.Answer{path: a}), base)
}

func TestSearchWeb_GivesPages(t *testing.T) {
	script := fetchtest.New(map[string]fetchtest.Answer{path + "?format=json&q=what+moves+rates": fetchtest.Text(body)})
	got, err := sourceOf(script, base).SearchWeb(t.Context(), " what\nmoves rates", 5)
	want := []market.WebResult{
		{Title: "First page", URL: "https://example.com/1", Snippet: "some text", Published: time.Date(2026, 9, 20, 0, 0, 0, 0, time.UTC)},
		{Title: "Second", URL: "http://example.com/2"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.WebResult{}, "Provenance")); err != nil || diff != "" {
		t.Fatalf("SearchWeb: %v (-want +got):\n%s", err, diff)
	}
	for _, one := range got {
		if p := one.Provenance; p.Source != "searxng" || p.AsOf.IsZero() || !p.FetchedAt.Equal(noon) {
			t.Errorf("provenance of %q = %+v", one.Title, p)
		}
	}
	if got, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), "x", 1); err != nil || len(got) != 1 {
		t.Errorf("SearchWeb for one = %d, %v", len(got), err)
	}
	if got, err := answering(fetchtest.Text(`{"results":[],"unresponsive_engines":[]}`)).SearchWeb(t.Context(), "x", 1); err != nil || len(got) != 0 {
		t.Errorf("SearchWeb that finds nothing = %v, %v; want nothing and no error", got, err)
	}
}

func TestSearchWeb_WithoutAnInstanceOrAQuestion(t *testing.T) {
	script := fetchtest.New(nil)
	if _, err := sourceOf(script, " ").SearchWeb(t.Context(), "x", 1); !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "SEARXNG_URL") {
		t.Errorf("SearchWeb without an instance = %v, want ErrNotConfigured that says how to name one", err)
	}
	if _, err := sourceOf(script, base).SearchWeb(t.Context(), "\t", 1); !errors.Is(err, market.ErrNoData) || len(script.Asked()) != 0 {
		t.Errorf("SearchWeb of nothing = %v, want ErrNoData", err)
	}
}

func TestSearchWeb_A403MeansThatJSONIsOff(t *testing.T) {
	_, err := answering(fetchtest.Page(403, "Forbidden")).SearchWeb(t.Context(), "x", 1)
	if !errors.Is(err, market.ErrAuth) || !strings.Contains(err.Error(), "search.formats") {
		t.Errorf("SearchWeb = %v, want ErrAuth that says what to set", err)
	}
}

func TestSearchWeb_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range append(fetchtest.BadDays([]byte(body)),
		fetchtest.BadDay{Name: "silent engines", Answer: fetchtest.Text(`{"results":[],"unresponsive_engines":[["google","CAPTCHA"]]}`), Want: market.ErrUnavailable},
		fetchtest.BadDay{Name: "no results", Answer: fetchtest.Text(`{}`), Want: market.ErrMalformed},
		fetchtest.BadDay{Name: "null", Answer: fetchtest.Text(`null`), Want: market.ErrMalformed},
	) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if _, err := answering(bad.Answer).SearchWeb(t.Context(), "rates", 5); !errors.Is(err, bad.Want) {
					t.Errorf("SearchWeb = %v, want %v", err, bad.Want)
				}
			})
		})
	}
}

func FuzzSearchWeb(f *testing.F) {
	f.Add(body)
	f.Add(`{"results":null}`)
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
