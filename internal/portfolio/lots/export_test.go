package lots

import "github.com/shopspring/decimal"

// LotChanges is the count that bounds what actions do to lots.
func (e *Engine) LotChanges() *int { return &e.lotChanges }

// Wrappers of the functions that replace methods of decimal.Decimal.
func Add(a, b decimal.Decimal) decimal.Decimal { return add(a, b) }
func Sub(a, b decimal.Decimal) decimal.Decimal { return sub(a, b) }
func Neg(a decimal.Decimal) decimal.Decimal    { return neg(a) }
func Equal(a, b decimal.Decimal) bool          { return equal(a, b) }
func Less(a, b decimal.Decimal) bool           { return less(a, b) }

func Prorate(sum, part, whole decimal.Decimal, places int32) decimal.Decimal {
	return prorate(sum, part, whole, places)
}

// Tallied adds numbers up, and tells whether they are below zero together.
func Tallied(all ...decimal.Decimal) (decimal.Decimal, bool) {
	var t runningSum
	for _, d := range all {
		t.add(d)
	}
	return t.sum(), t.isNegative()
}
