package edgar_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// calls returns the requests to a source, each for the company EXM.
func calls(s *edgar.Source) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Instruments": func(ctx context.Context) error { _, err := s.Instruments(ctx); return err },
		"Search":      func(ctx context.Context) error { _, err := s.Search(ctx, "example", 5); return err },
		"Profile":     func(ctx context.Context) error { _, err := s.Profile(ctx, "EXM"); return err },
		"Filings": func(ctx context.Context) error {
			_, err := s.Filings(ctx, "EXM", market.FilingQuery{Limit: 1})
			return err
		},
		"Statements": func(ctx context.Context) error {
			_, err := s.Statements(ctx, "EXM", market.StatementQuery{})
			return err
		},
		"FilingSection": func(ctx context.Context) error {
			_, err := s.FilingSection(ctx, "0000950170-24-000004", market.FilingItem{Item: "1A"})
			return err
		},
		"InsiderTrades": func(ctx context.Context) error {
			_, err := s.InsiderTrades(ctx, "EXM", market.Range{}, 5)
			return err
		},
		"News":   func(ctx context.Context) error { _, err := s.News(ctx, market.NewsQuery{Symbol: "EXM"}); return err },
		"latest": func(ctx context.Context) error { _, err := s.News(ctx, market.NewsQuery{}); return err },
	}
}

func TestSource_WithoutAContactNothingIsAsked(t *testing.T) {
	for _, contact := range []string{"", "  ", "\r\n"} {
		script := newScript(t)
		s := edgar.New(client.New(client.Options{Transport: script}), client.ProviderOptions{Contact: contact})
		for name, call := range calls(s) {
			err := call(t.Context())
			if !errors.Is(err, market.ErrNotConfigured) || !strings.Contains(err.Error(), "need a contact email for the SEC: /setup") {
				t.Errorf("%s = %v, want an ErrNotConfigured that says what to set", name, err)
			}
		}
		if n := len(script.Requests()); n != 0 {
			t.Errorf("%d requests went out", n)
		}
	}
}

func TestSource_SaysWhoAsks(t *testing.T) {
	script := newScript(t)
	c := client.New(client.Options{Transport: script, Now: now})
	s := edgar.New(c, client.ProviderOptions{Contact: " jane@example.com\r\nX-Other: 1 ", Now: now})
	if _, err := s.Profile(t.Context(), "EXM"); err != nil {
		t.Fatalf("Profile = %v", err)
	}
	hosts := []string{"www.sec.gov", "data.sec.gov"}
	for i, r := range script.Requests() {
		if got := r.Header.Get("User-Agent"); got != "nfa jane@example.comX-Other: 1" || r.Header.Get("X-Other") != "" {
			t.Errorf("request %d says it is %q", i, got)
		}
		if r.URL.Host != hosts[i] || r.URL.Scheme != "https" {
			t.Errorf("request %d goes to %s, want %s", i, r.URL, hosts[i])
		}
	}
}

func TestSource_OneAddressStandsForAllHosts(t *testing.T) {
	script := newScript(t)
	base := markettest.Serve(t, script)
	s := edgar.New(client.New(client.Options{Now: now}), client.ProviderOptions{BaseURL: base + "/", Contact: "jane@example.com", Now: now})
	for name, call := range calls(s) {
		if err := call(t.Context()); err != nil {
			t.Errorf("%s = %v", name, err)
		}
	}
}

// Each failure of the SEC, with each document and the request that needs it.
func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, row := range []struct {
		path, call, body string
		missing          error // the meaning of a 404
	}{
		{tickersPath, "Search", "company_tickers.json", market.ErrUnavailable},
		{submissionsPath, "Filings", "submissions.json", market.ErrUnknownSymbol},
		{factsPath, "Statements", "facts.json", market.ErrNoData},
		{currentPath, "latest", "current.atom", market.ErrNoData},
	} {
		for _, day := range append(markettest.BadResponses(testdata(t, row.body)), refusals(row.missing)...) {
			if day.Name == "404" {
				day.Want = row.missing
			}
			t.Run(row.call+"/"+day.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					script := newScript(t).Respond(row.path, day.Response)
					err := calls(source(t, script))[row.call](t.Context())
					if !errors.Is(err, day.Want) {
						t.Errorf("%s = %v, want %v", row.call, err, day.Want)
					}
					if from, ok := errors.AsType[*market.SourceError](err); !ok || from.Source != "sec-edgar" || from.Op == "" {
						t.Errorf("%s = %#v, want an error of the source", row.call, err)
					}
				})
			})
		}
	}
}

// refusals returns the SEC's own refusals.
func refusals(missing error) []markettest.BadResponse {
	const xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>"
	return []markettest.BadResponse{
		{Name: "asked too much", Response: markettest.HTMLResponse(403, "SEC.gov | Request Rate Threshold Exceeded"), Want: market.ErrRateLimited},
		{Name: "asked too much, politely", Response: markettest.HTMLResponse(200, "SEC.gov | Request Rate Threshold Exceeded"), Want: market.ErrRateLimited},
		{Name: "undeclared", Response: markettest.HTMLResponse(403, "Your Request Originates from an Undeclared Automated Tool"), Want: market.ErrAuth},
		{Name: "not in the archives", Response: markettest.Response{Status: 403, Body: []byte(xml + "AccessDenied</Code></Error>")}, Want: missing},
		{Name: "no such key", Response: markettest.Response{Status: 404, Body: []byte(xml + "NoSuchKey</Code></Error>")}, Want: missing},
		{Name: "maintenance", Response: markettest.HTMLResponse(503, "SEC.gov | File Unavailable"), Want: market.ErrUnavailable},
		{Name: "maintenance, politely", Response: markettest.HTMLResponse(200, "SEC.gov | File Unavailable"), Want: market.ErrUnavailable},
		{Name: "maintenance, untitled", Response: markettest.JSONResponse("<html><body><h1>This page is temporarily unavailable</h1></body></html>"), Want: market.ErrUnavailable},
	}
}

func TestSource_AnAnswerOfAnotherIsRefused(t *testing.T) {
	for call, row := range map[string]struct{ path, body string }{
		"Profile":    {submissionsPath, strings.Replace(string(testdata(t, "submissions.json")), "0000001234", "0000005678", 1)},
		"Filings":    {submissionsPath, strings.Replace(string(testdata(t, "submissions.json")), `"2024-05-20",`, "", 1)},
		"Statements": {factsPath, strings.Replace(string(testdata(t, "facts.json")), `"cik":1234`, `"cik":5678`, 1)},
		"Search":     {tickersPath, `{"0":{"cik_str":0,"ticker":"","title":""}}`},
		"latest":     {currentPath, strings.Replace(string(testdata(t, "current.atom")), "https://www.sec.gov/Archives", "https://elsewhere.example/Archives", 1)},
	} {
		script := newScript(t).Respond(row.path, markettest.JSONResponse(row.body))
		if err := calls(source(t, script))[call](t.Context()); !errors.Is(err, market.ErrMalformed) {
			t.Errorf("%s = %v, want ErrMalformed", call, err)
		}
	}
}
