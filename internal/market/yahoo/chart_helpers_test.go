package yahoo_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// chartNoon is a Thursday, an hour and a half before New York opens; most recordings
// are of that day.
var chartNoon = time.Date(2025, 2, 20, 13, 0, 0, 0, time.UTC)

// recordedChart reads a recording of Yahoo's answers.
func recordedChart(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", name))
}

func chartDay(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func chartDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// chartProvenance returns the provenance of a response fetched at a time.
func chartProvenance(at time.Time) market.Provenance {
	return market.Provenance{Source: "yahoo", Endpoint: "v8 chart", Adjustment: market.AdjustmentSplit, FetchedAt: at}
}

func seriesAt(text string, sym market.Symbol, now time.Time) (market.Series, error) {
	c, err := yahoo.ParseChart([]byte(text), yahoo.YahooSymbol(sym))
	if err != nil {
		return market.Series{}, err
	}
	return c.Series(sym, market.Daily, chartProvenance(now), now)
}

func quoteAt(text string, sym market.Symbol, now time.Time) (market.Quote, error) {
	c, err := yahoo.ParseChart([]byte(text), yahoo.YahooSymbol(sym))
	if err != nil {
		return market.Quote{}, err
	}
	return c.Quote(sym, chartProvenance(now))
}

func chartSeries(t *testing.T, text string, sym market.Symbol) market.Series {
	t.Helper()
	s, err := seriesAt(text, sym, chartNoon)
	if err != nil {
		t.Fatalf("Series of %s = %v", sym, err)
	}
	return s
}

func chartQuote(t *testing.T, text string, sym market.Symbol) market.Quote {
	t.Helper()
	q, err := quoteAt(text, sym, chartNoon)
	if err != nil {
		t.Fatalf("Quote of %s = %v", sym, err)
	}
	return q
}
