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
	if a.done.IsZero() {
		a.done = quantity
	} else {
		a.done = add(a.done, quantity)
	}
	upTo, before := a.sum, a.handed
	if !equal(a.done, a.whole) {
		upTo = prorate(a.sum, a.done, a.whole, max(costPlaces, a.extraPlaces))
	}
	a.handed = upTo
	if before.IsZero() {
		return upTo
	}
	return sub(upTo, before)
}

// remainder is what was not handed out.
func (a *allocation) remainder() decimal.Decimal {
	if a.handed.IsZero() {
		return a.sum
	}
	return sub(a.sum, a.handed)
}

// proportionalCost is quantity of whole's cost.
func proportionalCost(cost decimal.NullDecimal, quantity, whole decimal.Decimal) decimal.NullDecimal {
	if !cost.Valid || equal(quantity, whole) {
		return cost
	}
	return decimal.NewNullDecimal(prorate(cost.Decimal, quantity, whole, costPlaces))
}

// addNull is not known where one of both is not.
func addNull(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(add(a.Decimal, b.Decimal))
}

func subNull(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(sub(a.Decimal, b.Decimal))
}

// minDecimal is for two quantities.
func minDecimal(a, b decimal.Decimal) decimal.Decimal {
	if less(b, a) {
		return b
	}
	return a
}
