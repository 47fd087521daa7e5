package guidance_test

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// weighed are weights as they are written.
func weighed(texts map[string]string) map[market.Symbol]decimal.Decimal {
	out := map[market.Symbol]decimal.Decimal{}
	for sym, text := range texts {
		out[market.Symbol(sym)] = dec(text)
	}
	return out
}

// inverse gives a pair also the other way round.
type inverse struct{ market.RateSource }

func (i inverse) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	if s, err := i.RateSource.Rates(ctx, pair, r); err == nil {
		return s, nil
	}
	s, err := i.RateSource.Rates(ctx, pair.Inverse(), r)
	s.Pair = pair
	rates := make([]market.Rate, len(s.Rates))
	for n, one := range s.Rates {
		rates[n] = market.Rate{Date: one.Date, Value: decimal.NewFromInt(1).DivRound(one.Value, 12)}
	}
	s.Rates = rates
	return s, err
}
