package yahoo_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// base is the URL of all hosts of Yahoo. Nothing listens there: responses come from memory, and a loopback
// address has no rate limit.
const base = "http://127.0.0.1"

// testNoon is a Thursday, an hour and a half before New York opens; most recordings
// are of that day.
var testNoon = time.Date(2025, 2, 20, 13, 0, 0, 0, time.UTC)

// sourceOf returns a source with a script's responses, at noon.
func sourceOf(script *markettest.Script) *yahoo.Source {
	return sourceAt(script, testNoon, client.ProviderOptions{})
}

func sourceAt(script *markettest.Script, now time.Time, o client.ProviderOptions) *yahoo.Source {
	o.BaseURL, o.Now = base, func() time.Time { return now }
	return yahoo.New(client.New(client.Options{Transport: script, Now: o.Now}), o)
}

// answering returns a source with one response for a path.
func answering(path, body string) *yahoo.Source {
	return sourceOf(markettest.NewScript(map[string]markettest.Response{path: markettest.JSONResponse(body)}))
}

const chartPath = "/v8/finance/chart/"

// recordedBody reads a recording of Yahoo's answers.
func recordedBody(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", name))
}

func testDay(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func testDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// charted returns a source with one chart.
func charted(s markettest.YahooChart) *yahoo.Source {
	return answering(chartPath+fmt.Sprint(s.Meta["symbol"]), s.String())
}

func getBars(t *testing.T, s *yahoo.Source, sym market.Symbol) market.Series {
	t.Helper()
	series, err := s.Bars(t.Context(), sym, market.Range{})
	if err != nil {
		t.Fatalf("Bars(%s) = %v", sym, err)
	}
	return series
}

func getQuote(t *testing.T, s *yahoo.Source, sym market.Symbol) market.Quote {
	t.Helper()
	q, err := s.Quote(t.Context(), sym)
	if err != nil {
		t.Fatalf("Quote(%s) = %v", sym, err)
	}
	return q
}
