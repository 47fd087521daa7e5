package book

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// How the numbers of several tools of the book are computed.
const (
	FormulaValue    = "quantity * price * exchange rate"
	FormulaGain     = "value - cost; cost = " + FormulaBaseCost
	FormulaBaseCost = "cost of each lot * rate of the day it was acquired"
)

// Money is a sum to the smallest unit of its currency, nil where it is not known.
func Money(n decimal.NullDecimal, currency string) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	rounded := n.Decimal.Round(question.PlacesOf(currency))
	return &rounded
}

// Shown is a sum of a currency as people read it: "-1,234.50".
func Shown(d *decimal.Decimal, currency string) string {
	if d == nil {
		return present.Absent
	}
	return present.Grouped(d.StringFixed(question.PlacesOf(currency)))
}

// Changed is a sum by which something changed, with its sign.
func Changed(d *decimal.Decimal, currency string) string {
	if d == nil {
		return present.Absent
	}
	return present.Grouped(present.Signed(*d, question.PlacesOf(currency)))
}

// Less is a difference, invalid where one of both is.
func Less(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Sub(b.Decimal))
}

// Plus is a sum, invalid where one of both is.
func Plus(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}
