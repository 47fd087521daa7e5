package reference

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// tokyoExchange is the calendar of the Tokyo Stock Exchange: the national holidays of
// Japan and the turn of the year.
func tokyoExchange() exchangeRules {
	return exchangeRules{
		mic: "XTKS", name: "Tokyo Stock Exchange", zoneName: "Asia/Tokyo",
		holidays: func(y int) []market.Date {
			days := append(japaneseHolidays(y), date(y, time.January, 1), date(y, time.January, 2),
				date(y, time.January, 3), date(y, time.December, 31))
			return append(days, datesInYear(y, date(2020, time.October, 1))...) // the trading system failed
		},
		halfDays: tokyoHalfDays, hours: tokyoHours,
	}
}

// tokyoHalfDays: the first session of a year (until 2009) and the last (until 2008)
// had a morning only.
func tokyoHalfDays(y int) []market.Date {
	var days []market.Date
	if y <= 2009 {
		// Weekends move it; the holiday in the second week never comes so early.
		days = append(days, toMonday(date(y, time.January, 4)))
	}
	if y <= 2008 {
		days = append(days, toFriday(date(y, time.December, 30)))
	}
	return days
}

func tokyoHours(d market.Date, early bool) tradingHours {
	h := tradingHours{open: atTime(9, 0), close: atTime(15, 0), lunchFrom: atTime(11, 0), lunchTo: atTime(12, 30)}
	if !d.Before(date(2011, time.November, 21)) {
		h.lunchFrom = atTime(11, 30)
	}
	if !d.Before(date(2024, time.November, 5)) {
		h.close = atTime(15, 30)
	}
	if early {
		h.close, h.lunchFrom, h.lunchTo = h.lunchFrom, 0, 0
	}
	return h
}

// japaneseHolidays follows the Act on National Holidays: the days it names, the
// day that stands in for one on a Sunday, and a day between two of them.
func japaneseHolidays(y int) []market.Date {
	named := namedJapaneseHolidays(y)
	taken := func(d market.Date) bool { return slices.ContainsFunc(named, d.Equal) }
	out := slices.Clone(named)
	for _, d := range named {
		if d.Weekday() == time.Sunday {
			next := addDays(d, 1)
			// Before 2007 only the Monday could stand in; since then, the next free day.
			for taken(next) {
				next = addDays(next, 1)
			}
			out = append(out, next)
		}
		if between := addDays(d, 1); !taken(between) && taken(addDays(d, 2)) {
			out = append(out, between)
		}
	}
	return out
}

func namedJapaneseHolidays(y int) []market.Date {
	days := []market.Date{
		date(y, time.January, 1),
		nthWeekday(y, time.January, time.Monday, 2), // Coming of Age Day
		date(y, time.February, 11),                  // National Foundation Day
		equinox(y, time.March), equinox(y, time.September),
		date(y, time.April, 29),    // Greenery Day, Showa Day from 2007
		date(y, time.May, 3),       // Constitution Memorial Day
		date(y, time.May, 5),       // Children's Day
		date(y, time.November, 3),  // Culture Day
		date(y, time.November, 23), // Labour Thanksgiving Day
	}
	if y >= 2007 {
		days = append(days, date(y, time.May, 4)) // Greenery Day
	}
	switch {
	case y <= 2018:
		days = append(days, date(y, time.December, 23)) // birthday of Akihito
	case y >= 2020:
		days = append(days, date(y, time.February, 23)) // of Naruhito
	default: // 2019: accession and enthronement
		days = append(days, date(y, time.May, 1), date(y, time.October, 22))
	}
	days = append(days, respectForTheAged(y))
	return append(days, japaneseSummerHolidays(y)...)
}

func respectForTheAged(y int) market.Date {
	if y <= 2002 {
		return date(y, time.September, 15)
	}
	return nthWeekday(y, time.September, time.Monday, 3)
}

// japaneseSummerHolidays are Marine Day, Mountain Day (from 2016) and Sports Day, which
// moved to the opening and the close of the Olympic Games of Tokyo.
func japaneseSummerHolidays(y int) []market.Date {
	switch y {
	case 2020:
		return []market.Date{date(y, time.July, 23), date(y, time.July, 24), date(y, time.August, 10)}
	case 2021:
		return []market.Date{date(y, time.July, 22), date(y, time.July, 23), date(y, time.August, 8)}
	}
	days := []market.Date{nthWeekday(y, time.October, time.Monday, 2)}
	if y <= 2002 {
		days = append(days, date(y, time.July, 20))
	} else {
		days = append(days, nthWeekday(y, time.July, time.Monday, 3))
	}
	if y >= 2016 {
		days = append(days, date(y, time.August, 11))
	}
	return days
}

// equinox is the day of the equinox in Japan, by the approximation of Shinkoyomi
// binran (Japan Hydrographic Association, 1980), which holds from 1980 to 2099.
// The government announces it a year ahead and has agreed with it so far.
func equinox(y int, m time.Month) market.Date {
	base := 20.8431
	if m == time.September {
		base = 23.2488
	}
	return date(y, m, int(base+0.242194*float64(y-1980))-(y-1980)/4)
}
