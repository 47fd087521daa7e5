package positions

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Rate is what one unit of a currency is worth in another, with the day of the rate
// itself.
type Rate struct {
	market.Pair
	market.Rate
	Provenance market.Provenance
}

// RateCache are the exchange rates that one answer needs, asked for once each.
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

// NewRateCache has asked for nothing yet.
func (d Deps) NewRateCache() *RateCache {
	return &RateCache{deps: d, fetched: map[market.Pair]fetchedRates{}}
}

// On is the last rate on or before a day, 1 for a currency in itself. Who asks for
// several days asks Since for the oldest of them first.
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
		return Rate{}, fmt.Errorf("rate of %s on %s: %w", pair, day.Format("2006-01-02"), err)
	}
	return Rate{Pair: pair, Rate: rate, Provenance: s.Provenance}, nil
}

// Since are the rates of a pair from a day to the clock, with the week before it: a
// day without a rate has that of the last one before. A zero day asks for the
// newest alone.
func (r *RateCache) Since(ctx context.Context, pair market.Pair, from market.Date) (market.RateSeries, error) {
	if r.deps.Rates == nil {
		return market.RateSeries{}, errors.New("there is no source of exchange rates here")
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
		s.Rates = s.Rates[:len(s.Rates)-1] // a source that does not heed the range
	}
	r.fetched[pair] = fetchedRates{s, from, err}
	return s, err
}

// CostConverter brings what lots cost into the base currency, each at the rate of the day
// it was acquired.
type CostConverter struct {
	Base  string
	rates *RateCache
}

// NewCostConverter asks for the rates of each currency once, from the oldest lot on.
func (d Deps) NewCostConverter(ctx context.Context, base string, lots []portfolio.Lot) CostConverter {
	oldest := map[string]market.Date{}
	for _, l := range lots {
		if first, ok := oldest[l.Currency]; !l.Acquired.IsZero() && (!ok || l.Acquired.Before(first)) {
			oldest[l.Currency] = l.Acquired
		}
	}
	return d.NewCostConverterSince(ctx, base, oldest)
}

// NewCostConverterSince asks for rates of currencies from a day on. What fails says so when a
// rate of it is wanted.
func (d Deps) NewCostConverterSince(ctx context.Context, base string, from map[string]market.Date) CostConverter {
	c := CostConverter{Base: base, rates: d.NewRateCache()}
	for currency, day := range from {
		if currency != "" && currency != c.Base {
			_, _ = c.rates.Since(ctx, market.Pair{Base: currency, Quote: c.Base}, day)
		}
	}
	return c
}

// Convert is a sum of a day in the base currency, or why that is not known.
func (c CostConverter) Convert(ctx context.Context, amount decimal.NullDecimal, currency string, day market.Date) (decimal.NullDecimal, string) {
	switch {
	case !amount.Valid:
		return amount, "the cost is not known"
	case currency == c.Base || amount.Decimal.IsZero():
		return amount, ""
	case day.IsZero():
		return decimal.NullDecimal{}, "the day of acquisition is not known, and with it the rate"
	}
	rate, err := c.rates.On(ctx, currency, c.Base, day)
	if err != nil {
		return decimal.NullDecimal{}, err.Error()
	}
	return decimal.NewNullDecimal(amount.Decimal.Mul(rate.Value)), ""
}

// SignedCost is what a lot cost, below zero for what a short one brought.
func SignedCost(l portfolio.Lot) decimal.NullDecimal {
	if l.Quantity.IsNegative() {
		l.Cost.Decimal = l.Cost.Decimal.Neg()
	}
	return l.Cost
}

// ConvertLots is what several lots cost, or why that of one is not known.
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
