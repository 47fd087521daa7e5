package positions

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

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
