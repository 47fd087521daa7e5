package fixedincome

import (
	"fmt"
	"time"
)

// DayCount is a convention for the days between two dates and the days of a year.
type DayCount string

// Day counts in use.
const (
	Thirty360   DayCount = "30/360"  // US (NASD): corporate and municipal bonds
	ThirtyE360  DayCount = "30E/360" // European
	ActAct      DayCount = "act/act" // ICMA: government bonds
	Actual360   DayCount = "act/360" // money market
	Actual365   DayCount = "act/365" // fixed
	daysOf360            = 360.0
	daysOf365            = 365.0
	hoursPerDay          = 24
)

// DayCounts lists them.
func DayCounts() []DayCount {
	return []DayCount{Thirty360, ThirtyE360, ActAct, Actual360, Actual365}
}

// Days counts the days from a to b.
func (c DayCount) Days(a, b time.Time) float64 {
	switch c {
	case Thirty360:
		return days360(a, b, usDays360)
	case ThirtyE360:
		return days360(a, b, europeanDays360)
	}
	return b.Sub(a).Hours() / hoursPerDay
}

// period is how many days a coupon period from a to b has: by definition a part of
// a year, but for act/act, where it is what the calendar says.
func (c DayCount) period(a, b time.Time, frequency int) float64 {
	switch c {
	case ActAct:
		return c.Days(a, b)
	case Actual365:
		return daysOf365 / float64(frequency)
	}
	return daysOf360 / float64(frequency)
}

func (c DayCount) check() error {
	for _, known := range DayCounts() {
		if c == known {
			return nil
		}
	}
	return fmt.Errorf("%w: day count %q; use one of %v", ErrInvalidBond, c, DayCounts())
}

func days360(a, b time.Time, days func(a, b time.Time) (int, int)) float64 {
	first, last := days(a, b)
	return float64(360*(b.Year()-a.Year()) + 30*(int(b.Month())-int(a.Month())) + last - first)
}

func usDays360(a, b time.Time) (first, last int) {
	first, last = a.Day(), b.Day()
	if endOfFebruary(a) && endOfFebruary(b) {
		last = 30
	}
	if endOfFebruary(a) {
		first = 30
	}
	if last == 31 && first >= 30 {
		last = 30
	}
	return min(first, 30), last
}

func europeanDays360(a, b time.Time) (first, last int) { return min(a.Day(), 30), min(b.Day(), 30) }

func endOfFebruary(d time.Time) bool {
	return d.Month() == time.February && d.AddDate(0, 0, 1).Month() == time.March
}
