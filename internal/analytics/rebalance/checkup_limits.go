package rebalance

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Limits are the thresholds of somebody. What is left at zero has the standard of
// its rule.
type Limits struct {
	Largest     Limit // of the weight of any holding, at most
	TopFive     Limit // of the sum of the five largest, at most
	Effective   Limit // of the effective number of holdings, at least
	Foreign     Limit // of what is not in the base currency, at most
	Region      Limit // of what is in one region, a part of the securities, at most
	Fee         Limit // of funds a year, at most
	MaxCash     Limit
	Drift       Limit // in points, a fraction
	Relative    Limit // of the target; the smaller of both bands holds
	Correlation Limit // of two holdings, at most
	Payer       Limit // of the income of the largest payer, at most
	Yield       Limit // of income a year, at least; it has no standard
	PriceDays   Limit // of the age of a price, at most
	// Classes are bounds of classes; nil is not said, empty is none.
	Classes []ClassLimit
}

// Limit is a threshold with where it comes from: "your profile".
type Limit struct {
	Value  decimal.NullDecimal
	Reason string
}

// ClassLimit bounds a class; one of its ends may be open.
type ClassLimit struct {
	Class    portfolio.Class
	Min, Max decimal.NullDecimal
	Reason   string
}

// isSet tells whether somebody set the limit.
func (l Limit) isSet() bool { return l.Value.Valid }

// orDefault is the limit, or the standard one where none was set.
func (l Limit) orDefault(value, reason string) Limit {
	if l.isSet() {
		return l
	}
	return Limit{Value: decimal.NewNullDecimal(decimal.RequireFromString(value)), Reason: reason}
}
