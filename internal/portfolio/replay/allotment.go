package replay

import "github.com/shopspring/decimal"

// places are the digits after the point to which a part of a sum is rounded: far
// below any currency's smallest coin, and a bound for what parts of parts grow to.
const places = 12

// allotment hands a sum out in proportion to quantities, so that all the parts
// together are the sum, with no difference: each is the rounded sum up to and with
// its quantity, less what was handed out before.
type allotment struct {
	sum, whole   decimal.Decimal
	done, handed decimal.Decimal
	fine         int32 // places, where more than usual are needed
}

func (a *allotment) next(quantity decimal.Decimal) decimal.Decimal {
	if a.done.IsZero() {
		a.done = quantity
	} else {
		a.done = add(a.done, quantity)
	}
	upTo, before := a.sum, a.handed
	if !equal(a.done, a.whole) {
		upTo = prorated(a.sum, a.done, a.whole, max(places, a.fine))
	}
	a.handed = upTo
	if before.IsZero() {
		return upTo
	}
	return sub(upTo, before)
}

// left is what was not handed out.
func (a *allotment) left() decimal.Decimal {
	if a.handed.IsZero() {
		return a.sum
	}
	return sub(a.sum, a.handed)
}

// portion is quantity of whole's cost.
func portion(cost decimal.NullDecimal, quantity, whole decimal.Decimal) decimal.NullDecimal {
	if !cost.Valid || equal(quantity, whole) {
		return cost
	}
	return decimal.NewNullDecimal(prorated(cost.Decimal, quantity, whole, places))
}

// plus is not known where one of both is not.
func plus(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(add(a.Decimal, b.Decimal))
}

func minus(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(sub(a.Decimal, b.Decimal))
}

// smaller is for two quantities.
func smaller(a, b decimal.Decimal) decimal.Decimal {
	if less(b, a) {
		return b
	}
	return a
}
