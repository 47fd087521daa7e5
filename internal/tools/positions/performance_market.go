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
	benchmark        *market.Series // nil if none is requested or benchmarkMissing is set
	benchmarkMissing string         // why there is no benchmark
	missing          toolkit.Notes  // prices and rates that are unavailable
}

// valuationLookbackDays is the maximum age of a price used to value a day.
const valuationLookbackDays = 7

// loadMarketPast fetches the closes of all securities ever held, the rates of all currencies of the
// portfolio, and the benchmark. Unavailable data is noted and omitted. It fails only if the context
// is canceled or no source knows a benchmark that the call names.
func (d Deps) loadMarketPast(ctx context.Context, m performanceRequest) (marketPast, error) {
	var k marketPast
	if err := d.fetchCloses(ctx, m, &k); err != nil {
		return k, err
	}
	if m.benchmark != "" {
		s, _, err := d.History(ctx, m.benchmark, toolkit.Since(m.first().AddDate(0, 0, -valuationLookbackDays)))
		switch {
		case ctx.Err() != nil:
			return k, ctx.Err()
		case err == nil:
			k.benchmark = &s
		case m.defaultBenchmark: // an unusable setting does not fail the call
			k.benchmarkMissing = "default benchmark: " + err.Error()
		case errors.Is(err, market.ErrUnknownSymbol), errors.Is(err, market.ErrAmbiguous), errors.Is(err, market.ErrInvalidSymbol):
			return k, fmt.Errorf("benchmark: %w", err)
		default:
			k.benchmarkMissing = err.Error()
		}
	}
	return k, d.fetchRates(ctx, m, &k)
}

// fetchCloses fetches the closes of all securities.
func (d Deps) fetchCloses(ctx context.Context, m performanceRequest, k *marketPast) error {
	from := m.first().AddDate(0, 0, -valuationLookbackDays)
	symbols := m.symbols()
	found, failed, err := toolkit.FetchAll(ctx, symbols, func(ctx context.Context, sym market.Symbol) (market.Series, error) {
		return d.closesAsKnown(ctx, sym, from)
	})
	if err != nil {
		return fmt.Errorf("fetch past prices: %w", err)
	}
	k.market.Series = found
	for _, sym := range symbols {
		if s, ok := found[sym]; ok {
			if err := d.checkQuote(ctx, m.portfolio.Ledger, sym, s.Provenance.Currency); err != nil {
				delete(found, sym)
				k.missing.Warn("no_prices", "No prices for %s: %s", sym, err)
			}
		}
		if err := failed[sym]; err != nil {
			k.missing.Warn("no_prices", "No prices for %s: %s", sym, err)
		}
	}
	return nil
}

// closesAsKnown returns the closes of a security up to the clock, per share of that day.
func (d Deps) closesAsKnown(ctx context.Context, sym market.Symbol, from market.Date) (market.Series, error) {
	s, _, err := d.HistoryOfSymbol(ctx, sym, toolkit.Since(from))
	if err == nil && d.Replay && s.Provenance.Adjustment == market.AdjustmentSplit && s.Provenance.ShareBasis.IsZero() {
		err = errors.New("prices are adjusted for later dividends or splits, and the traded prices are unknown")
	}
	if err == nil {
		err = toolkit.CheckSteps(s)
	}
	return s, err
}

// fetchRates fetches the rates of every currency other than the base, from the oldest lot on.
func (d Deps) fetchRates(ctx context.Context, m performanceRequest, k *marketPast) error {
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
			return fmt.Errorf("fetch past exchange rates: %w", ctx.Err())
		}
		if err != nil {
			k.missing.Warn("no_rate", "No exchange rate from %s to %s: %s", currency, m.base, err)
			continue
		}
		k.market.Rates = append(k.market.Rates, s)
	}
	return nil
}

// oldest returns the day of the first posting or of the earliest acquisition, if that is older.
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
