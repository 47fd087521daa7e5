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

// dailyColumn is a figure for every day of the grid: the last one known. The figures are
// integers over a common power of ten, because a decimal for each of a million
// products would cost more than all else.
type dailyColumn struct {
	exponent int32
	narrow   []int64
	wide     []*big.Int // in place of narrow, where a figure has more digits
	knownDay []int32    // the day of each figure
	at       []int32    // by day of the grid: which figure holds, below zero where none
}

const (
	maxPlaces    = 30 // digits after the point that are looked at, and before it
	narrowDigits = 18 // that an int64 always holds
	noIndex      = -1
)

// isPlausible reports whether a figure can be counted with: no price, rate or ratio has
// more digits, and one of a million would stop everything.
func isPlausible(v decimal.Decimal) bool {
	return v.IsPositive() && v.Exponent() <= maxPlaces && v.Exponent() >= -2*maxPlaces && v.NumDigits() <= 2*maxPlaces
}

// newDailyColumn takes points in order of day.
func newDailyColumn(days int, points []point) *dailyColumn {
	c := &dailyColumn{at: make([]int32, days), knownDay: make([]int32, len(points))}
	digits := int32(0)
	for i := range points {
		if points[i].value.Exponent() < -maxPlaces {
			points[i].value = points[i].value.Round(maxPlaces)
		}
		v := points[i].value
		c.exponent = min(c.exponent, v.Exponent())
		digits = max(digits, int32(v.NumDigits())+v.Exponent())
		c.knownDay[i] = int32(points[i].day)
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
func (c *dailyColumn) carry(days int) {
	next := int32(0)
	for i := range days {
		for int(next) < len(c.knownDay) && int(c.knownDay[next]) <= i {
			next++
		}
		c.at[i] = next - 1
		if next > 0 && i-int(c.knownDay[next-1]) > staleness {
			c.at[i] = noIndex
		}
	}
}

// cut takes the figures away from the days of [from, to].
func (c *dailyColumn) cut(from, to int) {
	for i := max(from, 0); i <= to && i < len(c.at); i++ {
		c.at[i] = noIndex
	}
}

// mantissa is the figure of a day as an integer; it may be into or the column's own,
// and is not to be changed.
func (c *dailyColumn) mantissa(i int, into *big.Int) *big.Int {
	if c.wide != nil {
		return c.wide[c.at[i]]
	}
	return into.SetInt64(c.narrow[c.at[i]])
}

func (c *dailyColumn) hasValue(i int) bool { return c.at[i] >= 0 }

// valueOn is the figure of a day and the day that it is of.
func (c *dailyColumn) valueOn(i int) (value decimal.Decimal, known int, ok bool) {
	if !c.hasValue(i) {
		return decimal.Decimal{}, 0, false
	}
	var buffer big.Int
	return decimal.NewFromBigInt(c.mantissa(i, &buffer), c.exponent), int(c.knownDay[c.at[i]]), true
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
