package websearch_test

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
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/websearch"
)

const (
	tavilyBase   = "http://127.0.0.1" // the answers come from memory
	tavilyPath   = "/search"
	tavilySecret = "tvly-0123456789"
	tavilyBody   = `{"query":"rates","answer":null,"images":[],"results":[
		{"title":"First\npage","url":"https://example.com/1","content":"  some  text ","score":0.9,"raw_content":null,"published_date":"Tue, 19 Nov 2024 10:00:00 GMT"},
		{"title":"Second","url":"https://example.com/2","content":"more","score":0.8},
		{"title":"A script","url":"javascript:alert(1)","content":"x","score":0.7},
		{"title":"","url":"https://example.com/4","content":"x","score":0.6}],"response_time":1.2}`
)

var tavilyNoon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func newTavilySource(carrier http.RoundTripper) *websearch.Tavily {
	return websearch.NewTavily(client.New(client.Options{Transport: carrier, Now: func() time.Time { return tavilyNoon }}),
		client.ProviderOptions{BaseURL: tavilyBase, Key: func() string { return tavilySecret }})
}

func tavilyAnswering(a markettest.Response) *websearch.Tavily {
	return newTavilySource(markettest.NewScript(map[string]markettest.Response{tavilyPath: a}))
}

func TestTavily_SearchWebReturnsPages(t *testing.T) {
	got, err := tavilyAnswering(markettest.JSONResponse(tavilyBody)).SearchWeb(t.Context(), "rates", 5)
	want := []market.WebResult{
		{Title: "First page", URL: "https://example.com/1", Snippet: "some text", Published: time.Date(2024, 11, 19, 10, 0, 0, 0, time.UTC)},
		{Title: "Second", URL: "https://example.com/2", Snippet: "more"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.WebResult{}, "Provenance")); err != nil || diff != "" {
		t.Fatalf("SearchWeb: %v (-want +got):\n%s", err, diff)
	}
	for _, one := range got {
		if p := one.Provenance; p.Source != "tavily" || p.AsOf.IsZero() || !p.FetchedAt.Equal(tavilyNoon) {
			t.Errorf("provenance of %q = %+v", one.Title, p)
		}
	}
	if got, err := tavilyAnswering(markettest.JSONResponse(tavilyBody)).SearchWeb(t.Context(), "rates", 1); err != nil || len(got) != 1 {
		t.Errorf("SearchWeb for one = %d, %v", len(got), err)
	}
	if got, err := tavilyAnswering(markettest.JSONResponse(`{"results":[]}`)).SearchWeb(t.Context(), "rates", 1); err != nil || len(got) != 0 {
		t.Errorf("SearchWeb that finds nothing = %v, %v; want nothing and no error", got, err)
	}
}

// recordingTransport records the requests.
type recordingTransport struct {
	sent map[string]any
	key  string
}

func (l *recordingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	l.key = r.Header.Get("Authorization")
	if err := json.Unmarshal(text, &l.sent); err != nil || strings.Contains(r.URL.String()+string(text), tavilySecret) {
		return nil, errors.New("no JSON, or the key is in it")
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(tavilyBody)), Request: r}, nil
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
		var l recordingTransport
		if _, err := newTavilySource(&l).SearchWeb(t.Context(), c.text, c.limit); err != nil {
			t.Fatalf("SearchWeb(%.20q) = %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, l.sent); diff != "" || l.key != "Bearer "+tavilySecret {
			t.Errorf("sent with %q (-want +got):\n%s", l.key, diff)
		}
	}
}

func TestTavily_EmptyQueryOrNoKey(t *testing.T) {
	if _, err := tavilyAnswering(markettest.JSONResponse(tavilyBody)).SearchWeb(t.Context(), " \n", 5); !errors.Is(err, market.ErrNoData) {
		t.Errorf("SearchWeb of nothing = %v, want ErrNoData", err)
	}
	script := markettest.NewScript(nil)
	for name, key := range map[string]func() string{"nil": nil, "empty": func() string { return "" }} {
		_, err := websearch.NewTavily(client.New(client.Options{Transport: script}), client.ProviderOptions{BaseURL: tavilyBase, Key: key}).SearchWeb(t.Context(), "x", 1)
		if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "nfa auth set tavily") || len(script.Requests()) != 0 {
			t.Errorf("%s key: SearchWeb = %v, want ErrNotConfigured that says how to set one", name, err)
		}
	}
}

func TestTavily_BadResponsesMapToSentinels(t *testing.T) {
	for _, bad := range append(markettest.BadResponses([]byte(tavilyBody)),
		markettest.BadResponse{Name: "plan used up", Response: markettest.Response{Status: 432, Body: []byte(`{"detail":{"error":"This request exceeds your plan's set usage limit."}}`)}, Want: market.ErrRateLimited},
		markettest.BadResponse{Name: "money used up", Response: markettest.Response{Status: 433, Body: []byte(`{}`)}, Want: market.ErrRateLimited},
		markettest.BadResponse{Name: "400", Response: markettest.Response{Status: 400, Body: []byte(`{"detail":{"error":"Query is too long."}}`)}, Want: market.ErrUnavailable},
		markettest.BadResponse{Name: "200 with an error", Response: markettest.JSONResponse(`{"detail":{"error":"no"}}`), Want: market.ErrMalformed},
		markettest.BadResponse{Name: "null", Response: markettest.JSONResponse(`null`), Want: market.ErrMalformed},
		markettest.BadResponse{Name: "the key in the answer", Response: markettest.Response{Status: 401, Body: []byte(`{"detail":"key ` + tavilySecret + ` is wrong"}`)}, Want: market.ErrAuth},
	) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, err := tavilyAnswering(bad.Response).SearchWeb(t.Context(), "rates", 5)
				if !errors.Is(err, bad.Want) || strings.Contains(err.Error(), tavilySecret) {
					t.Errorf("SearchWeb = %v, want %v without the key", err, bad.Want)
				}
			})
		})
	}
}

func TestSearchWeb_ACallerThatHasLeftIsNotAskedFor(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	script := markettest.NewScript(nil)
	if _, err := newTavilySource(script).SearchWeb(ctx, "rates", 5); !errors.Is(err, context.Canceled) || len(script.Requests()) != 0 {
		t.Errorf("SearchWeb = %v, asked %d times; want context.Canceled and nothing asked", err, len(script.Requests()))
	}
}

func FuzzTavilySearchWeb(f *testing.F) {
	f.Add(tavilyBody)
	f.Add(`{"results":null}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := tavilyAnswering(markettest.JSONResponse(body)).SearchWeb(t.Context(), "x", 5)
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
