package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// marketPast holds the past prices and rates of a portfolio.
type marketPast struct {
	market           performance.Market
	benchmark        *market.Series // nil where none is asked for, or benchmarkMissing says why
	benchmarkMissing string         // there is no benchmark
	missing          toolkit.Notes  // prices and rates that nobody gave
}

// valuationLookbackDays is how old a price may be that a day is valued at.
const valuationLookbackDays = 7

// loadMarketPast fetches the closes of all that was ever held, the rates of all currencies of
// the portfolio, and the benchmark. What is unavailable is named and left out. Only a canceled
// call, or a named benchmark that no source knows, is an error.
func (d PerformanceDeps) loadMarketPast(ctx context.Context, m performanceRequest) (marketPast, error) {
	var k marketPast
	if err := d.fetchCloses(ctx, m, &k); err != nil {
		return k, err
	}
	if m.benchmark != "" {
		sp, err := toolkit.ParsePeriod("", toolkit.FormatDate(m.first().AddDate(0, 0, -valuationLookbackDays)), "", "")
		if err != nil {
			return k, err
		}
		s, _, err := d.History(ctx, m.benchmark, sp)
		switch {
		case ctx.Err() != nil:
			return k, ctx.Err()
		case err == nil:
			k.benchmark = &s
		case m.defaultBenchmark: // an unusable setting does not fail the call
			k.benchmarkMissing = "benchmark of the settings: " + err.Error()
		case errors.Is(err, market.ErrUnknownSymbol), errors.Is(err, market.ErrAmbiguous), errors.Is(err, market.ErrInvalidSymbol):
			return k, fmt.Errorf("benchmark: %w", err)
		default:
			k.benchmarkMissing = err.Error()
		}
	}
	return k, d.fetchRates(ctx, m, &k)
}

// fetchCloses asks for the closes.
func (d PerformanceDeps) fetchCloses(ctx context.Context, m performanceRequest, k *marketPast) error {
	from := m.first().AddDate(0, 0, -valuationLookbackDays)
	symbols := m.symbols()
	found, failed, err := toolkit.FetchAll(ctx, symbols, func(ctx context.Context, sym market.Symbol) (market.Series, error) {
		return d.closesAsKnown(ctx, sym, from)
	})
	if err != nil {
		return fmt.Errorf("pricing the portfolio's past: %w", err)
	}
	k.market.Series = found
	for _, sym := range symbols {
		if err := failed[sym]; err != nil {
			k.missing.Warn("no_prices", "There are no prices of %s: %s", sym, err)
		}
	}
	return nil
}

// closesAsKnown returns the closes of a security up to the clock. If the clock is set back,
// sources still scale past closes by later splits. Those splits are kept, so that they can be
// undone; nothing else is later than the clock.
func (d PerformanceDeps) closesAsKnown(ctx context.Context, sym market.Symbol, from market.Date) (market.Series, error) {
	sp, err := toolkit.ParsePeriod("", toolkit.FormatDate(from), "", "")
	if err != nil {
		return market.Series{}, err
	}
	s, _, err := d.HistoryOfSymbol(ctx, sym, sp)
	if err != nil || !d.Replay || s.Provenance.Adjustment != market.AdjustmentSplit {
		return s, err
	}
	after := market.Range{From: toolkit.Today(d.Now()).AddDate(0, 0, 1)}
	later, err := d.Bars.Bars(ctx, sym, after)
	later = later.Within(after)
	switch {
	case err != nil && !errors.Is(err, market.ErrNoData):
		return s, fmt.Errorf("whether they were adjusted for later splits is not known: %w", err)
	case len(later.Bars) == 0:
		return s, nil
	case later.Actions == nil || s.Actions == nil:
		return s, errors.New("they are adjusted for what came later, and what was paid then is not known")
	}
	s.Actions = slices.Clone(s.Actions)
	for _, a := range later.Actions {
		if a.Kind != market.ActionDividend && !a.Date.Before(after.From) {
			s.Actions = append(s.Actions, a)
		}
	}
	return s, nil
}

// fetchRates asks for the rates of every currency that is not the base, from the oldest
// lot on.
func (d PerformanceDeps) fetchRates(ctx context.Context, m performanceRequest, k *marketPast) error {
	currencies := m.currencies()
	for _, s := range k.market.Series {
		currencies = append(currencies, s.Provenance.Currency)
	}
	if k.benchmark != nil {
		currencies = append(currencies, k.benchmark.Provenance.Currency)
	}
	slices.Sort(currencies)
	rates := d.NewRateCache()
	for _, currency := range slices.Compact(currencies) {
		if currency == m.base || currency == "" {
			continue
		}
		s, err := rates.Since(ctx, market.Pair{Base: currency, Quote: m.base}, m.oldest())
		if ctx.Err() != nil {
			return fmt.Errorf("rates of the portfolio's past: %w", ctx.Err())
		}
		if err != nil {
			k.missing.Warn("no_rate", "There is no exchange rate of %s in %s: %s", currency, m.base, err)
			continue
		}
		k.market.Rates = append(k.market.Rates, s)
	}
	return nil
}

// oldest is the day of the first posting, or of the acquisition of an older lot.
func (m performanceRequest) oldest() market.Date {
	first := m.first()
	earlier := func(d market.Date) {
		if !d.IsZero() && d.Before(first) {
			first = d
		}
	}
	for _, p := range m.portfolio.Engine.Positions() {
		for _, l := range p.Lots {
			earlier(l.Acquired)
		}
	}
	for _, d := range m.portfolio.Engine.Disposals() {
		earlier(d.Acquired)
	}
	return first
}
