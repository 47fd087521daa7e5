package tavily_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
	"github.com/nfa-cli/nfa/internal/market/tavily"
)

const (
	base   = "http://127.0.0.1" // the answers come from memory
	path   = "/search"
	secret = "tvly-0123456789"
	body   = `{"query":"rates","answer":null,"images":[],"results":[
		{"title":"First\npage","url":"https://example.com/1","content":"  some  text ","score":0.9,"raw_content":null,"published_date":"Tue, 19 Nov 2024 10:00:00 GMT"},
		{"title":"Second","url":"https://example.com/2","content":"more","score":0.8},
		{"title":"A script","url":"javascript:alert(1)","content":"x","score":0.7},
		{"title":"","url":"https://example.com/4","content":"x","score":0.6}],"response_time":1.2}`
)

var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceOf(carrier http.RoundTripper) *tavily.Source {
	return tavily.New(fetch.New(fetch.Options{Transport: carrier, Now: func() time.Time { return noon }}),
		tavily.Options{BaseURL: base, Key: func() string { return secret }})
}

func answering(a fetchtest.Answer) *tavily.Source {
	return sourceOf(fetchtest.New(map[string]fetchtest.Answer{path: a}))
}

func TestSearchWeb_GivesPages(t *testing.T) {
	got, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), "rates", 5)
	want := []market.WebResult{
		{Title: "First page", URL: "https://example.com/1", Snippet: "some text", Published: time.Date(2024, 11, 19, 10, 0, 0, 0, time.UTC)},
		{Title: "Second", URL: "https://example.com/2", Snippet: "more"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.WebResult{}, "Provenance")); err != nil || diff != "" {
		t.Fatalf("SearchWeb: %v (-want +got):\n%s", err, diff)
	}
	for _, one := range got {
		if p := one.Provenance; p.Source != "tavily" || p.AsOf.IsZero() || !p.FetchedAt.Equal(noon) {
			t.Errorf("provenance of %q = %+v", one.Title, p)
		}
	}
	if got, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), "rates", 1); err != nil || len(got) != 1 {
		t.Errorf("SearchWeb for one = %d, %v", len(got), err)
	}
	if got, err := answering(fetchtest.Text(`{"results":[]}`)).SearchWeb(t.Context(), "rates", 1); err != nil || len(got) != 0 {
		t.Errorf("SearchWeb that finds nothing = %v, %v; want nothing and no error", got, err)
	}
}

// listener writes down what it was sent.
type listener struct {
	sent map[string]any
	key  string
}

func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	l.key = r.Header.Get("Authorization")
	if err := json.Unmarshal(text, &l.sent); err != nil || strings.Contains(r.URL.String()+string(text), secret) {
		return nil, errors.New("no JSON, or the key is in it")
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func TestSearchWeb_AsksWithinTheBoundsOfTavily(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  map[string]any
	}{
		{" what\tmoves  rates ", 5, map[string]any{"query": "what moves rates", "max_results": 5.0, "search_depth": "basic"}},
		{"x", 0, map[string]any{"query": "x", "max_results": 8.0, "search_depth": "basic"}},
		{strings.Repeat("é", 500), 99, map[string]any{"query": strings.Repeat("é", 399) + "…", "max_results": 20.0, "search_depth": "basic"}},
	} {
		var l listener
		if _, err := sourceOf(&l).SearchWeb(t.Context(), c.text, c.limit); err != nil {
			t.Fatalf("SearchWeb(%.20q) = %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, l.sent); diff != "" || l.key != "Bearer "+secret {
			t.Errorf("sent with %q (-want +got):\n%s", l.key, diff)
		}
	}
}

func TestSearchWeb_NothingToAskOrNoKey(t *testing.T) {
	if _, err := answering(fetchtest.Text(body)).SearchWeb(t.Context(), " \n", 5); !errors.Is(err, market.ErrNoData) {
		t.Errorf("SearchWeb of nothing = %v, want ErrNoData", err)
	}
	script := fetchtest.New(nil)
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		_, err := tavily.New(fetch.New(fetch.Options{Transport: script}), tavily.Options{BaseURL: base, Key: key}).SearchWeb(t.Context(), "x", 1)
		if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set tavily") || len(script.Asked()) != 0 {
			t.Errorf("%s key: SearchWeb = %v, want ErrNotConfigured that says how to set one", name, err)
		}
	}
}

func TestSearchWeb_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range append(fetchtest.BadDays([]byte(body)),
		fetchtest.BadDay{Name: "plan used up", Answer: fetchtest.Answer{Status: 432, Body: []byte(`{"detail":{"error":"This request exceeds your plan's set usage limit."}}`)}, Want: market.ErrRateLimited},
		fetchtest.BadDay{Name: "money used up", Answer: fetchtest.Answer{Status: 433, Body: []byte(`{}`)}, Want: market.ErrRateLimited},
		fetchtest.BadDay{Name: "400", Answer: fetchtest.Answer{Status: 400, Body: []byte(`{"detail":{"error":"Query is too long."}}`)}, Want: market.ErrUnavailable},
		fetchtest.BadDay{Name: "200 with an error", Answer: fetchtest.Text(`{"detail":{"error":"no"}}`), Want: market.ErrMalformed},
		fetchtest.BadDay{Name: "null", Answer: fetchtest.Text(`null`), Want: market.ErrMalformed},
		fetchtest.BadDay{Name: "the key in the answer", Answer: fetchtest.Answer{Status: 401, Body: []byte(`{"detail":"key ` + secret + ` is wrong"}`)}, Want: market.ErrAuth},
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

func TestSearchWeb_ACallerThatHasLeftIsNotAskedFor(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	script := fetchtest.New(nil)
	if _, err := sourceOf(script).SearchWeb(ctx, "rates", 5); !errors.Is(err, context.Canceled) || len(script.Asked()) != 0 {
		t.Errorf("SearchWeb = %v, asked %d times; want context.Canceled and nothing asked", err, len(script.Asked()))
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
