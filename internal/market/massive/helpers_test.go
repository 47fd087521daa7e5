package massive_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/massive"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	base         = "http://127.0.0.1" // the answers come from memory
	secret       = "ms0123456789"
	profilePath  = "/v3/reference/tickers/AAA"
	newsPath     = "/v2/reference/news"
	splitPath    = "/v3/reference/splits"
	dividendPath = "/v3/reference/dividends"
	// barsPath is the path requested for an open range at noon.
	barsPath = "/v2/aggs/ticker/AAA/range/1/day/2024-09-26/2026-09-25"

	profileBody = `{"results":{"ticker":"AAA","name":"Example Inc.","market":"stocks","locale":"us","primary_exchange":"XNAS","type":"CS","currency_name":"usd","cik":"0000051143"},"status":"OK"}`
	newsBody    = `{"results":[{"publisher":{"name":"X"},"title":"Older","published_utc":"2026-09-20T12:00:00Z","article_url":"https://example.com/1","tickers":["AAA"],"description":"d"},
		{"publisher":{"name":"Y"},"title":"Newer","published_utc":"2026-09-21T12:00:00Z","article_url":"https://example.com/2","tickers":["BBB","AAA"]},
		{"title":"Of another","published_utc":"2026-09-22T12:00:00Z","article_url":"https://example.com/3","tickers":["BBB"]},
		{"title":"A script","article_url":"javascript:alert(1)","tickers":["AAA"]}],"status":"OK"}`
	emptyBody = `{"results":[],"status":"OK"}`
	notFound  = `{"status":"NOT_FOUND","request_id":"x","message":"Ticker not found."}`
	forbidden = `{"status":"NOT_AUTHORIZED","request_id":"x","message":"Your plan doesn't include this data timeframe."}`
	tooMany   = `{"status":"ERROR","request_id":"x","error":"You've exceeded the maximum requests per minute."}`
)

// noon is a Friday, before New York opens.
var noon = time.Date(2026, 9, 25, 12, 0, 0, 0, time.UTC)

func sourceAt(carrier http.RoundTripper, now time.Time) *massive.Source {
	clock := func() time.Time { return now }
	return massive.New(client.New(client.Options{Transport: carrier, Now: clock}), client.ProviderOptions{BaseURL: base, Now: clock, Key: func() string { return secret }})
}

// answering returns a source with one response for each path, without dividends or splits.
func answering(bodies map[string]string) (*massive.Source, *markettest.Script) {
	script := markettest.NewScript(map[string]markettest.Response{splitPath: markettest.JSONResponse(emptyBody), dividendPath: markettest.JSONResponse(emptyBody)})
	for path, body := range bodies {
		script.Respond(path, markettest.JSONResponse(body))
	}
	return sourceAt(script, noon), script
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "massive", name))
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// bar is a day in the server's format, starting at midnight in New York.
type bar map[string]any

func barOf(date string, price float64) bar {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	d := day(date)
	at := time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, zone).UnixMilli()
	return bar{"t": at, "o": price, "h": price, "l": price, "c": price, "v": 1000.0, "vw": price, "n": 5}
}

func (b bar) with(name string, value any) bar {
	b[name] = value
	return b
}

func barsBody(bars ...bar) string {
	body, err := json.Marshal(map[string]any{"ticker": "AAA", "adjusted": true, "results": bars, "resultsCount": len(bars), "status": "OK"})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// exchange is a Massive that lists AAA, and limits its days to the requested range.
type exchange struct {
	dates  []string
	closes []float64
}

func (e exchange) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	status, body := 200, emptyBody
	window, isBars := strings.CutPrefix(r.URL.Path, "/v2/aggs/ticker/AAA/range/1/day/")
	switch {
	case r.Header.Get("Authorization") != "Bearer "+secret || strings.Contains(r.URL.String(), secret):
		status, body = 401, `{"status":"ERROR","error":"Unknown API Key"}`
	case isBars:
		from, to, _ := strings.Cut(window, "/")
		var cut []bar
		for i, date := range e.dates {
			if date >= from && date <= to {
				cut = append(cut, barOf(date, e.closes[i]))
			}
		}
		body = barsBody(cut...)
	case r.URL.Path == profilePath:
		body = profileBody
	case strings.HasPrefix(r.URL.Path, "/v3/reference/tickers/"):
		status, body = 404, notFound
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
}
