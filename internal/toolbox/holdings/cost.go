package holdings

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

const formulaBaseCost = "cost of each lot * rate of the day it was acquired"

// costing brings what lots cost into the base currency, each at the rate of the day
// it was acquired.
type costing struct {
	rates *book.Rates
	base  string
}

// newCosting asks for the rates of each currency once, from the oldest lot on.
func (d Deps) newCosting(ctx context.Context, base string, lots []portfolio.Lot) costing {
	c := costing{rates: d.NewRates(), base: base}
	oldest := map[string]market.Date{}
	for _, l := range lots {
		if first, ok := oldest[l.Currency]; !l.Acquired.IsZero() && (!ok || l.Acquired.Before(first)) {
			oldest[l.Currency] = l.Acquired
		}
	}
	c.prepare(ctx, oldest)
	return c
}

// prepare asks for rates of currencies from a day on. What fails says so when a rate
// of it is wanted.
func (c costing) prepare(ctx context.Context, from map[string]market.Date) {
	for currency, day := range from {
		if currency != "" && currency != c.base {
			_, _ = c.rates.Since(ctx, market.Pair{Base: currency, Quote: c.base}, day)
		}
	}
}

// converted is a sum of a day in the base currency, or why that is not known.
func (c costing) converted(ctx context.Context, amount decimal.NullDecimal, currency string, day market.Date) (decimal.NullDecimal, string) {
	switch {
	case !amount.Valid:
		return amount, "the cost is not known"
	case currency == c.base || amount.Decimal.IsZero():
		return amount, ""
	case day.IsZero():
		return decimal.NullDecimal{}, "the day of acquisition is not known, and with it the rate"
	}
	rate, err := c.rates.On(ctx, currency, c.base, day)
	if err != nil {
		return decimal.NullDecimal{}, err.Error()
	}
	return decimal.NewNullDecimal(amount.Decimal.Mul(rate.Value)), ""
}

// signedCost is what a lot cost, below zero for what a short one brought.
func signedCost(l portfolio.Lot) decimal.NullDecimal {
	if l.Quantity.IsNegative() {
		l.Cost.Decimal = l.Cost.Decimal.Neg()
	}
	return l.Cost
}

// all is what several lots cost, or why that of one is not known.
func (c costing) all(ctx context.Context, lots []portfolio.Lot) (decimal.NullDecimal, string) {
	sum := decimal.NewNullDecimal(decimal.Zero)
	for _, l := range lots {
		cost, why := c.converted(ctx, signedCost(l), l.Currency, l.Acquired)
		if why != "" {
			return decimal.NullDecimal{}, why
		}
		sum.Decimal = sum.Decimal.Add(cost.Decimal)
	}
	return sum, ""
}

// minus is a difference, invalid where one of both is.
func minus(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Sub(b.Decimal))
}

// size is a number without its sign.
func size(n decimal.NullDecimal) decimal.NullDecimal {
	n.Decimal = n.Decimal.Abs()
	return n
}
