package markettest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

// PriceSource is the source under test.
type PriceSource interface {
	market.QuoteSource
	market.BarSource
}

// PriceSubject is a price source to be checked against the contract, and a symbol that it must know.
type PriceSubject struct {
	Source PriceSource
	// Listed has at least five bars.
	Listed market.Symbol
}

// unlisted is a valid symbol that no source knows.
const unlisted market.Symbol = "NOSUCH.ZZ"

// RunPrices checks a source against the contracts of the market interfaces. Each check gets a new
// source from newSource.
func RunPrices(t *testing.T, newSource func(t *testing.T) PriceSubject) {
	t.Helper()
	for name, promise := range map[string]func(*testing.T, PriceSubject){
		"quote is complete":           quoteIsComplete,
		"bars are valid":              barsAreConsistent,
		"range ends are inclusive":    rangeEndsAreInclusive,
		"empty range returns no data": emptyRangeIsNoData,
		"unlisted symbol is unknown":  unlistedSymbolIsUnknown,
		"canceled context ends calls": cancelledContextEndsCalls,
		"concurrent calls agree":      concurrentCallsAgree,
		"directory lists it once":     directoryListsItOnce,
	} {
		t.Run(name, func(t *testing.T) { promise(t, newSource(t)) })
	}
}

func quoteIsComplete(t *testing.T, s PriceSubject) {
	q, err := s.Source.Quote(t.Context(), s.Listed)
	if err != nil {
		t.Fatalf("Quote(%s) = %v", s.Listed, err)
	}
	if q.Symbol != s.Listed || q.Name == "" || q.Kind == "" {
		t.Errorf("Quote(%s) names %+v", s.Listed, q.Instrument)
	}
	if !q.Price.IsPositive() {
		t.Errorf("Quote(%s) = %s, want a positive price", s.Listed, q.Price)
	}
	if q.Previous.Valid && !q.PreviousAsOf.Before(q.Provenance.AsOf) {
		t.Errorf("previous price of %v is not before %v", q.PreviousAsOf, q.Provenance.AsOf)
	}
	checkProvenance(t, q.Provenance)
}

func checkProvenance(t *testing.T, p market.Provenance) {
	t.Helper()
	if p.Source == "" || p.AsOf.IsZero() || p.FetchedAt.IsZero() {
		t.Errorf("provenance lacks source, as-of or fetched date: %+v", p)
	}
	if p.Currency == "" && p.Unit == "" {
		t.Errorf("provenance has neither currency nor unit: %+v", p)
	}
	switch p.Adjustment {
	case market.AdjustmentUnknown, market.AdjustmentRaw, market.AdjustmentSplit, market.AdjustmentSplitDiv:
	default:
		t.Errorf("unknown adjustment %q", p.Adjustment)
	}
}

func allBars(t *testing.T, s PriceSubject) market.Series {
	t.Helper()
	series, err := s.Source.Bars(t.Context(), s.Listed, market.Range{})
	if err != nil {
		t.Fatalf("Bars(%s, all) = %v", s.Listed, err)
	}
	if len(series.Bars) < 5 {
		t.Fatalf("Bars(%s, all) = %d bars, want 5 or more", s.Listed, len(series.Bars))
	}
	return series
}

func barsAreConsistent(t *testing.T, s PriceSubject) {
	series := allBars(t, s)
	if series.Symbol != s.Listed || series.Interval != market.Daily && series.Interval != market.Monthly {
		t.Errorf("series of %s says symbol %q, interval %q", s.Listed, series.Symbol, series.Interval)
	}
	checkProvenance(t, series.Provenance)
	if last := series.Bars[len(series.Bars)-1].Date; series.Provenance.AsOf.Before(last) {
		t.Errorf("as of %v, before the last bar of %v", series.Provenance.AsOf, last)
	}
	CheckBars(t, series.Bars)
}

// CheckBars reports bars out of order, not at midnight UTC, without a positive
// close, or whose high and low do not enclose the other prices.
func CheckBars(t *testing.T, bars []market.Bar) {
	t.Helper()
	var before time.Time
	for _, b := range bars {
		if !b.Date.After(before) || !b.Date.Equal(b.Date.UTC().Truncate(24*time.Hour)) {
			t.Errorf("bar of %v after %v: want ascending dates at midnight UTC", b.Date, before)
		}
		before = b.Date
		if !b.Close.IsPositive() {
			t.Errorf("close of %v = %s, want it positive", b.Date, b.Close)
		}
		if b.High.Valid && (b.High.Decimal.LessThan(b.Close) || b.Open.Valid && b.High.Decimal.LessThan(b.Open.Decimal)) {
			t.Errorf("high of %v is below open or close", b.Date)
		}
		if b.Low.Valid && (b.Low.Decimal.GreaterThan(b.Close) || b.Open.Valid && b.Low.Decimal.GreaterThan(b.Open.Decimal)) {
			t.Errorf("low of %v is above open or close", b.Date)
		}
	}
}

func rangeEndsAreInclusive(t *testing.T, s PriceSubject) {
	all := allBars(t, s).Bars
	for name, row := range map[string]struct {
		r    market.Range
		want []market.Bar
	}{
		"both ends":  {market.Range{From: all[1].Date, To: all[3].Date}, all[1:4]},
		"one day":    {market.Range{From: all[2].Date, To: all[2].Date}, all[2:3]},
		"open start": {market.Range{To: all[2].Date}, all[:3]},
		"open end":   {market.Range{From: all[len(all)-2].Date}, all[len(all)-2:]},
	} {
		got, err := s.Source.Bars(t.Context(), s.Listed, row.r)
		if err != nil {
			t.Errorf("%s: Bars = %v", name, err)
			continue
		}
		if diff := cmp.Diff(row.want, got.Bars); diff != "" {
			t.Errorf("%s: bars (-want +got):\n%s", name, diff)
		}
	}
}

func emptyRangeIsNoData(t *testing.T, s PriceSubject) {
	all := allBars(t, s).Bars
	for name, r := range map[string]market.Range{
		"before the first bar": {To: all[0].Date.AddDate(-200, 0, 0)},
		"ends swapped":         {From: all[3].Date, To: all[1].Date},
	} {
		if _, err := s.Source.Bars(t.Context(), s.Listed, r); !errors.Is(err, market.ErrNoData) {
			t.Errorf("%s: Bars = %v, want ErrNoData", name, err)
		}
	}
}

func unlistedSymbolIsUnknown(t *testing.T, s PriceSubject) {
	_, quoteErr := s.Source.Quote(t.Context(), unlisted)
	_, barsErr := s.Source.Bars(t.Context(), unlisted, market.Range{})
	for call, err := range map[string]error{"Quote": quoteErr, "Bars": barsErr} {
		if !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("%s(%s) = %v, want ErrUnknownSymbol", call, unlisted, err)
			continue
		}
		if !strings.Contains(err.Error(), string(unlisted)) {
			t.Errorf("%s: error %q does not name %s", call, err, unlisted)
		}
	}
}

func cancelledContextEndsCalls(t *testing.T, s PriceSubject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, quoteErr := s.Source.Quote(ctx, s.Listed)
	_, barsErr := s.Source.Bars(ctx, s.Listed, market.Range{})
	for call, err := range map[string]error{"Quote": quoteErr, "Bars": barsErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a canceled context = %v, want context.Canceled", call, err)
		}
	}
}

func concurrentCallsAgree(t *testing.T, s PriceSubject) {
	const callers = 8
	var answers [callers]market.Series
	var errs [callers]error
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { answers[i], errs[i] = s.Source.Bars(t.Context(), s.Listed, market.Range{}) })
	}
	wg.Wait()
	for i := range callers {
		if errs[i] != nil {
			t.Fatalf("caller %d: Bars = %v", i, errs[i])
		}
		if !reflect.DeepEqual(answers[0].Bars, answers[i].Bars) {
			t.Errorf("caller %d got different bars (-first +this):\n%s", i, cmp.Diff(answers[0].Bars, answers[i].Bars))
		}
	}
}

func directoryListsItOnce(t *testing.T, s PriceSubject) {
	directory, ok := s.Source.(market.Directory)
	if !ok {
		t.Skip("the source has no directory")
	}
	all, err := directory.Instruments(t.Context())
	if err != nil {
		t.Fatalf("Instruments = %v", err)
	}
	seen := map[market.Symbol]int{}
	for _, one := range all {
		seen[one.Symbol]++
		if one.Name == "" || one.Kind == "" || seen[one.Symbol] > 1 {
			t.Errorf("invalid or listed twice: %+v", one)
		}
	}
	if seen[s.Listed] != 1 {
		t.Errorf("%s is listed %d times, want once", s.Listed, seen[s.Listed])
	}
}
