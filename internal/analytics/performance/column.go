package performance

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// staleness is how many days a price or rate holds: weekends and holidays fit, a
// security that is no longer traded does not.
const staleness = 7

// point is a figure on a day of the grid, which may lie before its first.
type point struct {
	day   int
	value decimal.Decimal
}

// column is a figure for every day of the grid: the last one known. The figures are
// integers over a common power of ten, because a decimal for each of a million
// products would cost more than all else.
type column struct {
	exponent int32
	narrow   []int64
	wide     []*big.Int // in place of narrow, where a figure has more digits
	known    []int32    // the day of each figure
	at       []int32    // by day of the grid: which figure holds, below zero where none
}

const (
	mostPlaces   = 30 // digits after the point that are looked at, and before it
	narrowDigits = 18 // that an int64 always holds
	none         = -1
)

// plausible reports whether a figure can be counted with: no price, rate or ratio has
// more digits, and one of a million would stop everything.
func plausible(v decimal.Decimal) bool {
	return v.IsPositive() && v.Exponent() <= mostPlaces && v.Exponent() >= -2*mostPlaces && v.NumDigits() <= 2*mostPlaces
}

// newColumn takes points in order of day.
func newColumn(days int, points []point) *column {
	c := &column{at: make([]int32, days), known: make([]int32, len(points))}
	digits := int32(0)
	for i := range points {
		if points[i].value.Exponent() < -mostPlaces {
			points[i].value = points[i].value.Round(mostPlaces)
		}
		v := points[i].value
		c.exponent = min(c.exponent, v.Exponent())
		digits = max(digits, int32(v.NumDigits())+v.Exponent())
		c.known[i] = int32(points[i].day)
	}
	if digits-c.exponent <= narrowDigits {
		c.narrow = make([]int64, len(points))
		for i, p := range points {
			c.narrow[i] = p.value.CoefficientInt64() * smallPower(p.value.Exponent()-c.exponent)
		}
	} else {
		c.wide = make([]*big.Int, len(points))
		for i, p := range points {
			c.wide[i] = mantissa(p.value, c.exponent)
		}
	}
	c.carry(days)
	return c
}

// carry gives each day the last figure on or before it that is not stale.
func (c *column) carry(days int) {
	next := int32(0)
	for i := range days {
		for int(next) < len(c.known) && int(c.known[next]) <= i {
			next++
		}
		c.at[i] = next - 1
		if next > 0 && i-int(c.known[next-1]) > staleness {
			c.at[i] = none
		}
	}
}

// cut takes the figures away from the days of [from, to].
func (c *column) cut(from, to int) {
	for i := max(from, 0); i <= to && i < len(c.at); i++ {
		c.at[i] = none
	}
}

// mantissa is the figure of a day as an integer; it may be into or the column's own,
// and is not to be changed.
func (c *column) mantissa(i int, into *big.Int) *big.Int {
	if c.wide != nil {
		return c.wide[c.at[i]]
	}
	return into.SetInt64(c.narrow[c.at[i]])
}

func (c *column) has(i int) bool { return c.at[i] >= 0 }

// on is the figure of a day and the day that it is of.
func (c *column) on(i int) (value decimal.Decimal, known int, ok bool) {
	if !c.has(i) {
		return decimal.Decimal{}, 0, false
	}
	var room big.Int
	return decimal.NewFromBigInt(c.mantissa(i, &room), c.exponent), int(c.known[c.at[i]]), true
}

// mantissa is v over 10^exponent, which is not above that of v.
func mantissa(v decimal.Decimal, exponent int32) *big.Int {
	m := v.Coefficient()
	if by := v.Exponent() - exponent; by > 0 {
		m.Mul(m, power(by))
	}
	return m
}

func power(n int32) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

func smallPower(n int32) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
