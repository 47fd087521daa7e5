package replay

import (
	"math"
	"math/bits"

	"github.com/shopspring/decimal"
)

// Sums of money and quantities nearly always fit into a machine word, and most of the
// time of a large book would go into the memory that decimals take for each step. What
// stands here gives the same number as the method of the decimal, to the last digit
// and exponent, and asks the decimal itself where a word is too small.

// wordDigits are those that always fit, also after two such numbers are added.
const wordDigits = 18

// word is a decimal as a word over its power of ten.
func word(d decimal.Decimal) (int64, bool) {
	if d.NumDigits() > wordDigits {
		return 0, false
	}
	return d.CoefficientInt64(), true
}

// words are two decimals over the smaller of their powers of ten.
func words(a, b decimal.Decimal) (x, y int64, exponent int32, ok bool) {
	x, fits := word(a)
	y, ok = word(b)
	if !fits || !ok {
		return 0, 0, 0, false
	}
	switch by := a.Exponent() - b.Exponent(); {
	case by > 0:
		x, ok = raised(x, by)
		return x, y, b.Exponent(), ok
	case by < 0:
		y, ok = raised(y, -by)
	}
	return x, y, a.Exponent(), ok
}

// raised is x * 10^by, where that has no more than wordDigits.
func raised(x int64, by int32) (int64, bool) {
	if by > wordDigits {
		return 0, false
	}
	p := int64(tens[by])
	most := int64(tens[wordDigits]) / p
	return x * p, x < most && x > -most
}

// tens are the powers of ten that a word can be multiplied by; never changed.
var tens = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// add is a.Add(b).
func add(a, b decimal.Decimal) decimal.Decimal {
	if x, y, exponent, ok := words(a, b); ok {
		return decimal.New(x+y, exponent)
	}
	return a.Add(b)
}

// sub is a.Sub(b).
func sub(a, b decimal.Decimal) decimal.Decimal {
	if x, y, exponent, ok := words(a, b); ok {
		return decimal.New(x-y, exponent)
	}
	return a.Sub(b)
}

// neg is a.Neg().
func neg(a decimal.Decimal) decimal.Decimal {
	if x, ok := word(a); ok {
		return decimal.New(-x, a.Exponent())
	}
	return a.Neg()
}

// equal is a.Equal(b), less is a.LessThan(b).
func equal(a, b decimal.Decimal) bool {
	if x, y, _, ok := words(a, b); ok {
		return x == y
	}
	return a.Equal(b)
}

func less(a, b decimal.Decimal) bool {
	if x, y, _, ok := words(a, b); ok {
		return x < y
	}
	return a.LessThan(b)
}

// prorated is sum.Mul(part).DivRound(whole, places): half a unit of the last place is
// rounded away from zero.
func prorated(sum, part, whole decimal.Decimal, places int32) decimal.Decimal {
	x, fits1 := word(sum)
	y, fits2 := word(part)
	z, fits3 := word(whole)
	if fits1 && fits2 && fits3 {
		by := sum.Exponent() + part.Exponent() - whole.Exponent() + places
		if q, ok := ratio(magnitude(x), magnitude(y), magnitude(z), by); ok {
			if (x < 0) != (y < 0) != (z < 0) {
				q = -q
			}
			return decimal.New(q, -places)
		}
	}
	return sum.Mul(part).DivRound(whole, places)
}

func magnitude(x int64) uint64 { return uint64(max(x, -x)) }

// ratio is x * y * 10^by / z, rounded, where all of it can be done in two words.
func ratio(x, y, z uint64, by int32) (int64, bool) {
	if z == 0 || by >= int32(len(tens)) || -by >= int32(len(tens)) {
		return 0, false
	}
	high, low := bits.Mul64(x, y)
	if by > 0 {
		over, middle := bits.Mul64(high, tens[by])
		carried, last := bits.Mul64(low, tens[by])
		sum, carry := bits.Add64(middle, carried, 0)
		if over != 0 || carry != 0 {
			return 0, false
		}
		high, low = sum, last
	} else if by < 0 {
		over, product := bits.Mul64(z, tens[-by])
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
