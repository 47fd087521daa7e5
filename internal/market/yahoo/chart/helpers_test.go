package chart_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

// noon is a Thursday, an hour and a half before New York opens; most recordings
// are of that day.
var noon = time.Date(2025, 2, 20, 13, 0, 0, 0, time.UTC)

// recorded reads a recording of Yahoo's answers.
func recorded(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("NFA_FIXTURES")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared")
	}
	text, err := os.ReadFile(filepath.Join(root, "fixtures", "market", name))
	if err != nil {
		t.Skipf("no recording: %v; NFA_FIXTURES may name the folder that holds fixtures/market", err)
	}
	return string(text)
}

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// from is where an answer comes from that was fetched at a time.
func from(at time.Time) market.Provenance {
	return market.Provenance{Source: "yahoo", Endpoint: "v8 chart", Adjustment: market.AdjustmentSplit, FetchedAt: at}
}

func seriesAt(text string, sym market.Symbol, now time.Time) (market.Series, error) {
	c, err := chart.Parse([]byte(text), chart.Spelled(sym))
	if err != nil {
		return market.Series{}, err
	}
	return c.Series(sym, from(now), now)
}

func quoteAt(text string, sym market.Symbol, now time.Time) (market.Quote, error) {
	c, err := chart.Parse([]byte(text), chart.Spelled(sym))
	if err != nil {
		return market.Quote{}, err
	}
	return c.Quote(sym, from(now))
}

func series(t *testing.T, text string, sym market.Symbol) market.Series {
	t.Helper()
	s, err := seriesAt(text, sym, noon)
	if err != nil {
		t.Fatalf("Series of %s = %v", sym, err)
	}
	return s
}

func quote(t *testing.T, text string, sym market.Symbol) market.Quote {
	t.Helper()
	q, err := quoteAt(text, sym, noon)
	if err != nil {
		t.Fatalf("Quote of %s = %v", sym, err)
	}
	return q
}
