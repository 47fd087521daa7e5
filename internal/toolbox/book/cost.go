package book

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Costing brings what lots cost into the base currency, each at the rate of the day
// it was acquired.
type Costing struct {
	Base  string
	rates *Rates
}

// NewCosting asks for the rates of each currency once, from the oldest lot on.
func (d Deps) NewCosting(ctx context.Context, base string, lots []portfolio.Lot) Costing {
	oldest := map[string]market.Date{}
	for _, l := range lots {
		if first, ok := oldest[l.Currency]; !l.Acquired.IsZero() && (!ok || l.Acquired.Before(first)) {
			oldest[l.Currency] = l.Acquired
		}
	}
	return d.CostingSince(ctx, base, oldest)
}

// CostingSince asks for rates of currencies from a day on. What fails says so when a
// rate of it is wanted.
func (d Deps) CostingSince(ctx context.Context, base string, from map[string]market.Date) Costing {
	c := Costing{Base: base, rates: d.NewRates()}
	for currency, day := range from {
		if currency != "" && currency != c.Base {
			_, _ = c.rates.Since(ctx, market.Pair{Base: currency, Quote: c.Base}, day)
		}
	}
	return c
}

// Converted is a sum of a day in the base currency, or why that is not known.
func (c Costing) Converted(ctx context.Context, amount decimal.NullDecimal, currency string, day market.Date) (decimal.NullDecimal, string) {
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

// All is what several lots cost, or why that of one is not known.
func (c Costing) All(ctx context.Context, lots []portfolio.Lot) (decimal.NullDecimal, string) {
	sum := decimal.NewNullDecimal(decimal.Zero)
	for _, l := range lots {
		cost, why := c.Converted(ctx, SignedCost(l), l.Currency, l.Acquired)
		if why != "" {
			return decimal.NullDecimal{}, why
		}
		sum.Decimal = sum.Decimal.Add(cost.Decimal)
	}
	return sum, ""
}
