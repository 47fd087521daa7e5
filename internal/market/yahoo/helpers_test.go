package yahoo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/fetch/fetchtest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart/charttest"
)

// base stands for all hosts of Yahoo. Nothing listens there: the answers come from
// memory, and for this machine there is no pace to keep.
const base = "http://127.0.0.1"

// noon is a Thursday, an hour and a half before New York opens; most recordings
// are of that day.
var noon = time.Date(2025, 2, 20, 13, 0, 0, 0, time.UTC)

// sourceOf answers from a script, at noon.
func sourceOf(script *fetchtest.Script) *yahoo.Source {
	return sourceAt(script, noon, yahoo.Options{})
}

func sourceAt(script *fetchtest.Script, now time.Time, o yahoo.Options) *yahoo.Source {
	o.BaseURL, o.Now = base, func() time.Time { return now }
	return yahoo.New(fetch.New(fetch.Options{Transport: script, Now: o.Now}), o)
}

// answering is a source that has one answer for a path.
func answering(path, body string) *yahoo.Source {
	return sourceOf(fetchtest.New(map[string]fetchtest.Answer{path: fetchtest.Text(body)}))
}

const chartPath = "/v8/finance/chart/"

// recorded reads a recording of Yahoo's answers.
func recorded(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("NFA_FIXTURES")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared")
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

// charted is a source that has one chart.
func charted(s charttest.Sheet) *yahoo.Source {
	return answering(chartPath+fmt.Sprint(s.Meta["symbol"]), s.String())
}

func bars(t *testing.T, s *yahoo.Source, sym market.Symbol) market.Series {
	t.Helper()
	series, err := s.Bars(t.Context(), sym, market.Range{})
	if err != nil {
		t.Fatalf("Bars(%s) = %v", sym, err)
	}
	return series
}

func quote(t *testing.T, s *yahoo.Source, sym market.Symbol) market.Quote {
	t.Helper()
	q, err := s.Quote(t.Context(), sym)
	if err != nil {
		t.Fatalf("Quote(%s) = %v", sym, err)
	}
	return q
}
