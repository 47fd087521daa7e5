package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

func date(y int, m time.Month, d int) market.Date {
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// dateOf drops the time of day, in whatever zone t has.
func dateOf(t time.Time) market.Date { return date(t.Year(), t.Month(), t.Day()) }

func addDays(d market.Date, days int) market.Date { return d.AddDate(0, 0, days) }

func isWeekend(d market.Date) bool {
	return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
}

// easter is Easter Sunday of the Gregorian calendar, by the anonymous algorithm
// that Nature printed in 1876 (Meeus, Astronomical Algorithms, chapter 8).
func easter(y int) market.Date {
	a, b, c := y%19, y/100, y%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return date(y, time.Month(n/31), n%31+1)
}

func goodFriday(y int) market.Date   { return addDays(easter(y), -2) }
func easterMonday(y int) market.Date { return addDays(easter(y), 1) }
func ascension(y int) market.Date    { return addDays(easter(y), 39) }
func whitMonday(y int) market.Date   { return addDays(easter(y), 50) }

// nthWeekday is the nth such weekday of a month, from 1; from the end for negative n.
func nthWeekday(y int, m time.Month, w time.Weekday, n int) market.Date {
	if n < 0 {
		last := date(y, m+1, 0)
		return addDays(last, -(int(last.Weekday()-w)+7)%7+7*(n+1))
	}
	first := date(y, m, 1)
	return addDays(first, (int(w-first.Weekday())+7)%7+7*(n-1))
}

// onOrBefore is the last such weekday up to d.
func onOrBefore(d market.Date, w time.Weekday) market.Date {
	return addDays(d, -(int(d.Weekday()-w)+7)%7)
}

// nearestWeekday moves a Saturday to the Friday and a Sunday to the Monday.
func nearestWeekday(d market.Date) market.Date {
	switch d.Weekday() {
	case time.Saturday:
		return addDays(d, -1)
	case time.Sunday:
		return addDays(d, 1)
	default:
		return d
	}
}

// toMonday moves a day of a weekend to the Monday after it.
func toMonday(d market.Date) market.Date {
	for isWeekend(d) {
		d = addDays(d, 1)
	}
	return d
}

// toFriday moves a day of a weekend to the Friday before it.
func toFriday(d market.Date) market.Date {
	for isWeekend(d) {
		d = addDays(d, -1)
	}
	return d
}

// sundayToMonday moves a Sunday to the Monday; a Saturday is lost.
func sundayToMonday(d market.Date) market.Date {
	if d.Weekday() == time.Sunday {
		return addDays(d, 1)
	}
	return d
}

// christmasAndBoxing are the two days with the weekdays that stand in for them
// when they fall on a weekend, as in England, Ontario and New South Wales.
func christmasAndBoxing(y int) []market.Date {
	days := []market.Date{date(y, time.December, 25), date(y, time.December, 26)}
	switch days[0].Weekday() {
	case time.Friday: // Boxing Day on Saturday
		days = append(days, date(y, time.December, 28))
	case time.Saturday:
		days = append(days, date(y, time.December, 27), date(y, time.December, 28))
	case time.Sunday:
		days = append(days, date(y, time.December, 27))
	}
	return days
}

// datesInYear keeps the days of one year; tables hold those of all.
func datesInYear(y int, days ...market.Date) []market.Date {
	var out []market.Date
	for _, d := range days {
		if d.Year() == y {
			out = append(out, d)
		}
	}
	return out
}
