package performance

import "github.com/shopspring/decimal"

// staleness is the number of days for which a price or rate stays valid: enough for weekends and holidays,
// but not for a security that is no longer traded.
const staleness = 7

// point is a figure on a day of the grid. The day may be before the first of the grid.
type point struct {
	day   int
	value decimal.Decimal
}

// dailyColumn is a figure for every day of the grid: the last known one that is not stale.
type dailyColumn struct {
	points []point
	at     []int32 // by day of the grid: the index of the valid point, negative if none
}

const (
	maxPlaces = 30 // maximum number of decimals, and of digits before the decimal point
	noIndex   = -1
)

// isPlausible reports whether a figure can be used in calculations. No price, rate or ratio has more
// digits, and a number with a million digits would take forever.
func isPlausible(v decimal.Decimal) bool {
	return v.IsPositive() && v.Exponent() <= maxPlaces && v.Exponent() >= -2*maxPlaces && v.NumDigits() <= 2*maxPlaces
}

// newDailyColumn returns the column of points, which are sorted by day.
func newDailyColumn(days int, points []point) *dailyColumn {
	c := &dailyColumn{points: points, at: make([]int32, days)}
	for i := range points {
		if points[i].value.Exponent() < -maxPlaces { // Round would add zeros to the others
			points[i].value = points[i].value.Round(maxPlaces)
		}
	}
	next := 0
	for i := range days {
		for next < len(points) && points[next].day <= i {
			next++
		}
		c.at[i] = int32(next - 1)
		if next > 0 && i-points[next-1].day > staleness {
			c.at[i] = noIndex
		}
	}
	return c
}

// cut removes the figures of the days from from to to, both included.
func (c *dailyColumn) cut(from, to int) {
	for i := max(from, 0); i <= to && i < len(c.at); i++ {
		c.at[i] = noIndex
	}
}

// valueOn returns the figure of a day.
func (c *dailyColumn) valueOn(i int) (decimal.Decimal, bool) {
	if c.at[i] < 0 {
		return decimal.Decimal{}, false
	}
	return c.points[c.at[i]].value, true
}
