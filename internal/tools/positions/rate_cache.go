package positions

import (
	"context"
	"errors"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Rate is an exchange rate with its own date.
type Rate struct {
	market.Pair
	market.Rate
	Provenance market.Provenance
}

// RateCache fetches each exchange rate of an answer once.
type RateCache struct {
	deps    Deps
	mu      sync.Mutex
	fetched map[market.Pair]fetchedRates
}

type fetchedRates struct {
	series market.RateSeries
	from   market.Date
	err    error
}

// NewRateCache returns an empty cache.
func (d Deps) NewRateCache() *RateCache {
	return &RateCache{deps: d, fetched: map[market.Pair]fetchedRates{}}
}

// On returns the last rate on or before a day, 1 if both currencies are the same. A caller that
// needs several days first calls Since with the oldest one.
func (r *RateCache) On(ctx context.Context, from, to string, day market.Date) (Rate, error) {
	pair := market.Pair{Base: from, Quote: to}
	if from == to {
		return Rate{Pair: pair, Rate: market.Rate{Date: day, Value: decimal.NewFromInt(1)}}, nil
	}
	since := day
	if !day.Before(toolkit.Today(r.deps.Now())) {
		since = market.Date{}
	}
	s, err := r.Since(ctx, pair, since)
	if err != nil {
		return Rate{}, err
	}
	rate, err := s.On(day)
	if err != nil {
		return Rate{}, err // names the pair and the day
	}
	return Rate{Pair: pair, Rate: rate, Provenance: s.Provenance}, nil
}

// Since returns the rates of a pair from a day to the clock, including the week before it, because
// a day without a rate uses the previous one. A zero day fetches only the latest rate.
func (r *RateCache) Since(ctx context.Context, pair market.Pair, from market.Date) (market.RateSeries, error) {
	if r.deps.Rates == nil {
		return market.RateSeries{}, errors.New("no exchange rate source is configured")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	have, ok := r.fetched[pair]
	if ok && (from.IsZero() || !have.from.IsZero() && !have.from.After(from)) {
		return have.series, have.err
	}
	span := market.Range{To: toolkit.Today(r.deps.Now())}
	if !from.IsZero() {
		span.From = from.AddDate(0, 0, -7)
	}
	s, err := r.deps.Rates.Rates(ctx, pair, span)
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	if err != nil {
		err = toolkit.WithContext(err, "rate of %s", pair)
	}
	for len(s.Rates) > 0 && s.Rates[len(s.Rates)-1].Date.After(span.To) {
		s.Rates = s.Rates[:len(s.Rates)-1] // the source ignored the range
	}
	r.fetched[pair] = fetchedRates{s, from, err}
	return s, err
}

// CostConverter converts the cost of lots to the base currency, each at the rate of its acquisition
// date.
type CostConverter struct {
	Base  string
	rates *RateCache
}

// NewCostConverter fetches the rates of each currency once, from the oldest lot on.
func (d Deps) NewCostConverter(ctx context.Context, base string, lots []portfolio.Lot) CostConverter {
	oldest := map[string]market.Date{}
	for _, l := range lots {
		if first, ok := oldest[l.Currency]; !l.Acquired.IsZero() && (!ok || l.Acquired.Before(first)) {
			oldest[l.Currency] = l.Acquired
		}
	}
	return d.NewCostConverterSince(ctx, base, oldest)
}

// NewCostConverterSince fetches the rates of currencies from a day on. An error is reported when
// the rate is first used.
func (d Deps) NewCostConverterSince(ctx context.Context, base string, from map[string]market.Date) CostConverter {
	c := CostConverter{Base: base, rates: d.NewRateCache()}
	for currency, day := range from {
		if currency != "" && currency != c.Base {
			_, _ = c.rates.Since(ctx, market.Pair{Base: currency, Quote: c.Base}, day)
		}
	}
	return c
}

// Convert returns an amount of a day in the base currency, or the reason why it is unknown.
func (c CostConverter) Convert(ctx context.Context, amount decimal.NullDecimal, currency string, day market.Date) (decimal.NullDecimal, string) {
	switch {
	case !amount.Valid:
		return amount, "the cost basis is unknown"
	case currency == c.Base || amount.Decimal.IsZero():
		return amount, ""
	case day.IsZero():
		return decimal.NullDecimal{}, "the acquisition date is unknown, so the exchange rate is unknown"
	}
	rate, err := c.rates.On(ctx, currency, c.Base, day)
	if err != nil {
		return decimal.NullDecimal{}, err.Error()
	}
	return decimal.NewNullDecimal(amount.Decimal.Mul(rate.Value)), ""
}

// SignedCost returns the cost of a lot, negative for the proceeds of a short one.
func SignedCost(l portfolio.Lot) decimal.NullDecimal {
	if l.Quantity.IsNegative() {
		l.Cost.Decimal = l.Cost.Decimal.Neg()
	}
	return l.Cost
}

// ConvertLots returns the cost of several lots, or the reason why it is unknown for one of them.
func (c CostConverter) ConvertLots(ctx context.Context, lots []portfolio.Lot) (decimal.NullDecimal, string) {
	sum := decimal.NewNullDecimal(decimal.Zero)
	for _, l := range lots {
		cost, why := c.Convert(ctx, SignedCost(l), l.Currency, l.Acquired)
		if why != "" {
			return decimal.NullDecimal{}, why
		}
		sum.Decimal = sum.Decimal.Add(cost.Decimal)
	}
	return sum, ""
}
