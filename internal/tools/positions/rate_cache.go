package positions

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
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
		err = fmt.Errorf("rate of %s: %w", pair, err)
	}
	for len(s.Rates) > 0 && s.Rates[len(s.Rates)-1].Date.After(span.To) {
		s.Rates = s.Rates[:len(s.Rates)-1] // a source that does not heed the range
	}
	r.fetched[pair] = fetchedRates{s, from, err}
	return s, err
}
