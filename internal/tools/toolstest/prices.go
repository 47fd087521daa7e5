package toolstest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// MustDecimal parses a number. It panics if text is malformed.
func MustDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// MustDay parses a date as YYYY-MM-DD. It panics if text is malformed.
func MustDay(text string) market.Date { return portfoliotest.Day(text) }

// PriceSource serves bars and lists its instruments, as markettest.Source does.
type PriceSource interface {
	market.BarSource
	market.Directory
}

// Prices returns the prices of a source at a time in RFC 3339.
func Prices(t testing.TB, source PriceSource, now string) toolkit.Prices {
	t.Helper()
	return toolkit.Prices{Bars: source, Directory: source, Now: Clock(t, now)}
}

// SamplePrices returns the prices of the sample data at Now.
func SamplePrices(t testing.TB) toolkit.Prices {
	t.Helper()
	return Prices(t, feed.NewSampleSource(), Now)
}

// SeriesPrices returns the prices of the given series at Now.
func SeriesPrices(t testing.TB, series ...market.Series) toolkit.Prices {
	t.Helper()
	return Prices(t, markettest.NewSource(series...), Now)
}

// WeekSeries returns the closes of the week from 2024-06-24 to 2024-06-28: VTI from 100 to
// 120 USD, BND from 50 to 51 USD, and SAP from 125 to 150 EUR.
func WeekSeries() []market.Series {
	monday := MustDay("2024-06-24")
	sap := markettest.Daily("SAP", monday, "125", "126", "130", "140", "150")
	sap.Provenance.Currency = "EUR"
	return []market.Series{
		markettest.Daily("VTI", monday, "100", "105", "110", "115", "120"),
		markettest.Daily("BND", monday, "50", "50", "50.5", "50.5", "51"), sap,
	}
}

// WaveSeries returns closes that rise and fall, on n weekdays from first on.
func WaveSeries(sym market.Symbol, first string, n int) market.Series {
	closes := make([]string, n)
	for i := range closes {
		closes[i] = fmt.Sprintf("%d.%02d", 100+i/50+(i*i+int(sym[0]))%23, (i*31)%100)
	}
	return markettest.Daily(sym, MustDay(first), closes...)
}

// UnrangedBars ignores the requested range and returns all bars: the caller's own limits
// must hold.
type UnrangedBars struct{ market.BarSource }

// Bars returns all bars of the symbol.
func (u UnrangedBars) Bars(ctx context.Context, sym market.Symbol, _ market.Range) (market.Series, error) {
	return u.BarSource.Bars(ctx, sym, market.Range{})
}

// RecordingBars records the requested ranges. It is safe for concurrent use.
type RecordingBars struct {
	market.BarSource

	mu     sync.Mutex
	ranges map[market.Symbol][]market.Range
}

// Bars records the range and returns the bars of the source.
func (r *RecordingBars) Bars(ctx context.Context, sym market.Symbol, span market.Range) (market.Series, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ranges == nil {
		r.ranges = map[market.Symbol][]market.Range{}
	}
	r.ranges[sym] = append(r.ranges[sym], span)
	return r.BarSource.Bars(ctx, sym, span)
}

// Starts returns the first day of each requested range by symbol, as YYYY-MM-DD, "" for
// an open one.
func (r *RecordingBars) Starts() map[market.Symbol][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	starts := map[market.Symbol][]string{}
	for sym, ranges := range r.ranges {
		for _, span := range ranges {
			day := ""
			if !span.From.IsZero() {
				day = span.From.Format(time.DateOnly)
			}
			starts[sym] = append(starts[sym], day)
		}
	}
	return starts
}

// BatchQuotes quotes several symbols in one request and records the requests.
// It is safe for concurrent use.
type BatchQuotes struct {
	market.QuoteSource
	Err   error           // of each request for several symbols, along with what was found
	Omits []market.Symbol // symbols missing from batch results

	mu      sync.Mutex
	batches [][]market.Symbol
	singles []market.Symbol
}

// Quotes returns the quotes of the symbols that the source knows.
func (b *BatchQuotes) Quotes(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	b.mu.Lock()
	b.batches = append(b.batches, symbols)
	b.mu.Unlock()
	found := map[market.Symbol]market.Quote{}
	for _, sym := range symbols {
		if q, err := b.QuoteSource.Quote(ctx, sym); err == nil && !slices.Contains(b.Omits, sym) {
			found[sym] = q
		}
	}
	return found, b.Err
}

// Quote returns the quote of one symbol.
func (b *BatchQuotes) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	b.mu.Lock()
	b.singles = append(b.singles, sym)
	b.mu.Unlock()
	return b.QuoteSource.Quote(ctx, sym)
}

// Batches returns the symbols of each request for several.
func (b *BatchQuotes) Batches() [][]market.Symbol {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.batches)
}

// Singles returns the symbols that were requested one by one, sorted.
func (b *BatchQuotes) Singles() []market.Symbol {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(slices.Values(b.singles))
}
