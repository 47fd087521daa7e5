package advice_test

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// parseWeights parses weights.
func parseWeights(texts map[string]string) map[market.Symbol]decimal.Decimal {
	out := map[market.Symbol]decimal.Decimal{}
	for sym, text := range texts {
		out[market.Symbol(sym)] = toolstest.MustDecimal(text)
	}
	return out
}

// inverseRates also returns the inverse of a pair.
type inverseRates struct{ market.RateSource }

func (i inverseRates) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
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
