package positions

import (
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/shopspring/decimal"
)

// nullOf is a number that is not valid where it is nil.
func nullOf(d *decimal.Decimal) decimal.NullDecimal {
	if d == nil {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(*d)
}

// quotientPlaces are the decimals of a quotient, more than anybody reads.
const quotientPlaces = 20

// inPercent is a fraction in percent, nil where it is not known.
func inPercent(fraction decimal.NullDecimal) *decimal.Decimal {
	fraction.Decimal = fraction.Decimal.Shift(2)
	return toolkit.Known(fraction)
}

// percentOf is a part of a whole in percent, nil where one is not known or the whole is not above
// zero.
func percentOf(part, whole decimal.NullDecimal) *decimal.Decimal {
	if !part.Valid || !whole.Valid || !whole.Decimal.IsPositive() {
		return nil
	}
	pct := part.Decimal.Shift(2).DivRound(whole.Decimal, quotientPlaces)
	return &pct
}

// gainInPercent is a gain in percent of the cost, whatever the sign of that: what a short
// position brought is below zero.
func gainInPercent(gain, cost decimal.NullDecimal) *decimal.Decimal {
	cost.Decimal = cost.Decimal.Abs()
	return percentOf(gain, cost)
}

// SubtractKnown is a difference, invalid where one of both is.
func SubtractKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Sub(b.Decimal))
}

// AddKnown is a sum, invalid where one of both is.
func AddKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}
