package positions

import (
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/shopspring/decimal"
)

// nullOf converts nil to an invalid number.
func nullOf(d *decimal.Decimal) decimal.NullDecimal {
	if d == nil {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(*d)
}

// quotientPlaces is the number of decimals of a quotient, more than any answer shows.
const quotientPlaces = 20

// inPercent returns a fraction in percent, nil if it is unknown.
func inPercent(fraction decimal.NullDecimal) *decimal.Decimal {
	fraction.Decimal = fraction.Decimal.Shift(2)
	return toolkit.Known(fraction)
}

// percentOf returns part in percent of total, nil if either is unknown or total is not positive.
func percentOf(part, total decimal.NullDecimal) *decimal.Decimal {
	if !part.Valid || !total.Valid || !total.Decimal.IsPositive() {
		return nil
	}
	pct := part.Decimal.Shift(2).DivRound(total.Decimal, quotientPlaces)
	return &pct
}

// gainInPercent returns a gain in percent of the absolute cost. The cost of a short position is
// negative.
func gainInPercent(gain, cost decimal.NullDecimal) *decimal.Decimal {
	cost.Decimal = cost.Decimal.Abs()
	return percentOf(gain, cost)
}

// SubtractKnown returns a - b, invalid if either is.
func SubtractKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Sub(b.Decimal))
}

// AddKnown returns a + b, invalid if either is.
func AddKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}
