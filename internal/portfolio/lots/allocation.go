package lots

import "github.com/shopspring/decimal"

// costPlaces are the digits after the point to which a part of a sum is rounded: far
// below any currency's smallest coin, and a bound for what parts of parts grow to.
const costPlaces = 12

// allocation hands a sum out in proportion to quantities, so that all the parts
// together are the sum, with no difference: each is the rounded sum up to and with
// its quantity, less what was handed out before.
type allocation struct {
	sum, whole   decimal.Decimal
	done, handed decimal.Decimal
	extraPlaces  int32 // places, where more than usual are needed
}

func (a *allocation) next(quantity decimal.Decimal) decimal.Decimal {
	a.done = a.done.Add(quantity)
	upTo, before := a.sum, a.handed
	if !a.done.Equal(a.whole) {
		upTo = a.sum.Mul(a.done).DivRound(a.whole, max(costPlaces, a.extraPlaces))
	}
	a.handed = upTo
	return upTo.Sub(before)
}

// remainder is what was not handed out.
func (a *allocation) remainder() decimal.Decimal { return a.sum.Sub(a.handed) }

// proportionalCost is quantity of whole's cost.
func proportionalCost(cost decimal.NullDecimal, quantity, whole decimal.Decimal) decimal.NullDecimal {
	if !cost.Valid || quantity.Equal(whole) {
		return cost
	}
	return decimal.NewNullDecimal(cost.Decimal.Mul(quantity).DivRound(whole, costPlaces))
}

// addNull is not known where one of both is not.
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
