package lots

import "github.com/shopspring/decimal"

// costPlaces is the number of decimals to which a share of an amount is rounded. It is far finer
// than any currency's smallest unit, and it limits how long repeatedly divided amounts grow.
const costPlaces = 12

// allocation divides an amount in proportion to quantities, so that the parts add up to it exactly:
// each part is the rounded cumulative amount less what was allocated before.
type allocation struct {
	sum, whole   decimal.Decimal
	done, handed decimal.Decimal
	extraPlaces  int32 // decimals, if more than costPlaces are needed
}

func (a *allocation) next(quantity decimal.Decimal) decimal.Decimal {
	if a.sum.IsZero() {
		return decimal.Zero
	}
	a.done = a.done.Add(quantity)
	upTo, before := a.sum, a.handed
	if !a.done.Equal(a.whole) {
		upTo = a.sum.Mul(a.done).DivRound(a.whole, max(costPlaces, a.extraPlaces))
	}
	a.handed = upTo
	return upTo.Sub(before)
}

// remainder returns the amount not yet allocated.
func (a *allocation) remainder() decimal.Decimal { return a.sum.Sub(a.handed) }

// proportionalCost returns the share of cost that belongs to quantity out of whole.
func proportionalCost(cost decimal.NullDecimal, quantity, whole decimal.Decimal) decimal.NullDecimal {
	if !cost.Valid || quantity.Equal(whole) {
		return cost
	}
	return decimal.NewNullDecimal(cost.Decimal.Mul(quantity).DivRound(whole, costPlaces))
}

// addNull returns the sum, which is invalid if either value is.
func addNull(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}

func subNull(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Sub(b.Decimal))
}
