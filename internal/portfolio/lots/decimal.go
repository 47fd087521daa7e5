package lots

import (
	"math"
	"math/bits"

	"github.com/shopspring/decimal"
)

// The functions below avoid allocations, which would take most of the time for a large ledger:
// sums of money and quantities nearly always fit into a machine word. Each gives the same
// number as the decimal's own method, to the last digit and exponent, and calls that method if
// a word is too small.

// maxInt64Digits are those that always fit, also after two such numbers are added.
const maxInt64Digits = 18

// toInt64 is a decimal as a word over its power of ten.
func toInt64(d decimal.Decimal) (int64, bool) {
	if d.NumDigits() > maxInt64Digits {
		return 0, false
	}
	return d.CoefficientInt64(), true
}

// alignInt64s are two decimals over the smaller of their powers of ten.
func alignInt64s(a, b decimal.Decimal) (x, y int64, exponent int32, ok bool) {
	x, fits := toInt64(a)
	y, ok = toInt64(b)
	if !fits || !ok {
		return 0, 0, 0, false
	}
	switch by := a.Exponent() - b.Exponent(); {
	case by > 0:
		x, ok = scaleByPowerOfTen(x, by)
		return x, y, b.Exponent(), ok
	case by < 0:
		y, ok = scaleByPowerOfTen(y, -by)
	}
	return x, y, a.Exponent(), ok
}

// scaleByPowerOfTen is x * 10^by, where that has no more than maxInt64Digits.
func scaleByPowerOfTen(x int64, power int32) (int64, bool) {
	if power > maxInt64Digits {
		return 0, false
	}
	p := int64(powersOfTen[power])
	limit := int64(powersOfTen[maxInt64Digits]) / p
	return x * p, x < limit && x > -limit
}

// powersOfTen are the powers of ten that a word can be multiplied by; never changed.
var powersOfTen = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// add is a.Add(b).
func add(a, b decimal.Decimal) decimal.Decimal {
	if x, y, exponent, ok := alignInt64s(a, b); ok {
		return decimal.New(x+y, exponent)
	}
	return a.Add(b)
}

// sub is a.Sub(b).
func sub(a, b decimal.Decimal) decimal.Decimal {
	if x, y, exponent, ok := alignInt64s(a, b); ok {
		return decimal.New(x-y, exponent)
	}
	return a.Sub(b)
}

// neg is a.Neg().
func neg(a decimal.Decimal) decimal.Decimal {
	if x, ok := toInt64(a); ok {
		return decimal.New(-x, a.Exponent())
	}
	return a.Neg()
}

// equal is a.Equal(b), less is a.LessThan(b).
func equal(a, b decimal.Decimal) bool {
	if x, y, _, ok := alignInt64s(a, b); ok {
		return x == y
	}
	return a.Equal(b)
}

func less(a, b decimal.Decimal) bool {
	if x, y, _, ok := alignInt64s(a, b); ok {
		return x < y
	}
	return a.LessThan(b)
}

// prorate is sum.Mul(part).DivRound(whole, places): half a unit of the last place is
// rounded away from zero.
func prorate(sum, part, whole decimal.Decimal, places int32) decimal.Decimal {
	x, fits1 := toInt64(sum)
	y, fits2 := toInt64(part)
	z, fits3 := toInt64(whole)
	if fits1 && fits2 && fits3 {
		exponent := sum.Exponent() + part.Exponent() - whole.Exponent() + places
		if q, ok := mulDivRound(magnitude(x), magnitude(y), magnitude(z), exponent); ok {
			if (x < 0) != (y < 0) != (z < 0) {
				q = -q
			}
			return decimal.New(q, -places)
		}
	}
	return sum.Mul(part).DivRound(whole, places)
}

func magnitude(x int64) uint64 { return uint64(max(x, -x)) }

// mulDivRound is x * y * 10^by / z, rounded, where all of it can be done in two words.
func mulDivRound(x, y, z uint64, power int32) (int64, bool) {
	if z == 0 || power >= int32(len(powersOfTen)) || -power >= int32(len(powersOfTen)) {
		return 0, false
	}
	high, low := bits.Mul64(x, y)
	if power > 0 {
		over, middle := bits.Mul64(high, powersOfTen[power])
		carried, last := bits.Mul64(low, powersOfTen[power])
		sum, carry := bits.Add64(middle, carried, 0)
		if over != 0 || carry != 0 {
			return 0, false
		}
		high, low = sum, last
	} else if power < 0 {
		over, product := bits.Mul64(z, powersOfTen[-power])
		if over != 0 {
			return 0, false
		}
		z = product
	}
	if high >= z {
		return 0, false
	}
	q, rest := bits.Div64(high, low, z)
	if q >= math.MaxInt64 {
		return 0, false
	}
	if rest >= z-rest {
		q++
	}
	return int64(q), true
}
