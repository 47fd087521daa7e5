package reference

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// hongKongExchange is the calendar of the Stock Exchange of Hong Kong: the general
// holidays, and until September 2024 the days of typhoons and black rain.
func hongKongExchange() exchangeRules {
	return exchangeRules{
		mic: "XHKG", name: "Stock Exchange of Hong Kong", zoneName: "Asia/Hong_Kong",
		holidays: hongKongHolidays,
		halfDays: func(y int) []market.Date {
			return []market.Date{
				addDays(lunarFestivals(y).newYear, -1), date(y, time.December, 24), date(y, time.December, 31),
			}
		},
		hours: hongKongHours,
	}
}

func hongKongHours(d market.Date, early bool) tradingHours {
	h := tradingHours{open: atTime(9, 30), close: atTime(16, 0), lunchFrom: atTime(12, 0), lunchTo: atTime(13, 0)}
	switch {
	case d.Before(date(2011, time.March, 7)):
		h.open, h.lunchFrom, h.lunchTo = atTime(10, 0), atTime(12, 30), atTime(14, 30)
	case d.Before(date(2012, time.March, 5)):
		h.lunchTo = atTime(13, 30)
	}
	if early {
		h.close, h.lunchFrom, h.lunchTo = h.lunchFrom, 0, 0
	}
	return h
}

func hongKongHolidays(y int) []market.Date {
	moon := lunarFestivals(y)
	// Those that stay where they are, whatever else falls on the day.
	days := append(lunarNewYear(moon.newYear),
		goodFriday(y), addDays(goodFriday(y), 1), easterMonday(y), date(y, time.December, 26))
	// Those that give way: to the next day that is neither a Sunday nor a holiday.
	for _, d := range []market.Date{
		date(y, time.January, 1), chingMing(y), date(y, time.May, 1), moon.buddha, moon.tuenNg,
		date(y, time.July, 1), date(y, time.October, 1), afterMidAutumn(moon), moon.chungYeung,
		date(y, time.December, 25), // after the 26th: the one on a Sunday goes to the 27th
	} {
		for d.Weekday() == time.Sunday || slices.ContainsFunc(days, d.Equal) {
			d = addDays(d, 1)
		}
		days = append(days, d)
	}
	if boxing := date(y, time.December, 26); boxing.Weekday() == time.Sunday {
		days = append(days, addDays(boxing, 1))
	}
	return append(days, hongKongStorms(y)...)
}

// lunarNewYear is the first three days of the year. One on a Sunday is made good
// for by the fourth since 2013, by the eve before.
func lunarNewYear(first market.Date) []market.Date {
	days := []market.Date{first, addDays(first, 1), addDays(first, 2)}
	if slices.ContainsFunc(days, func(d market.Date) bool { return d.Weekday() == time.Sunday }) {
		if first.Year() >= 2013 {
			return append(days, addDays(first, 3))
		}
		return append(days, addDays(first, -1))
	}
	return days
}

// afterMidAutumn is the day after the festival. Until 2011 the festival itself, a
// Saturday, was kept where the day after was a Sunday.
func afterMidAutumn(moon festivals) market.Date {
	next := addDays(moon.midAutumn, 1)
	if next.Weekday() == time.Sunday && next.Year() < 2012 {
		return moon.midAutumn
	}
	return next
}

// chingMing is the day on which the sun has gone 15 degrees from the spring
// equinox, by the usual approximation for the years 2000 to 2099.
func chingMing(y int) market.Date {
	return date(y, time.April, int(4.81+0.2422*float64(y-2000))-(y-2000)/4)
}

// hongKongStorms are the days on which the exchange did not open at all, and one
// holiday of a single year.
func hongKongStorms(y int) []market.Date {
	return datesInYear(y,
		date(2001, time.July, 6), date(2001, time.July, 25),
		date(2008, time.August, 6), date(2008, time.August, 22),
		date(2011, time.September, 29), date(2013, time.August, 14),
		date(2015, time.September, 3), // 70 years since the end of the war
		date(2016, time.August, 2), date(2016, time.October, 21), date(2017, time.August, 23),
		date(2020, time.October, 13), date(2021, time.October, 13),
		date(2023, time.July, 17), date(2023, time.September, 1), date(2023, time.September, 8),
		date(2024, time.September, 6),
	)
}

// festivals are the days of one year that follow the moon.
type festivals struct{ newYear, buddha, tuenNg, midAutumn, chungYeung market.Date }

// lunarFestivalTable are, for each year from 2000, the first day of the first lunar month,
// the 8th of the 4th, the 5th of the 5th, the 15th of the 8th and the 9th of the
// 9th, as month and day of the common calendar.
const lunarFestivalTable = "" +
	"0205 0511 0606 0912 1006  0124 0430 0625 1001 1025  0212 0519 0615 0921 1014  0201 0508 0604 0911 1004  " + // 2000
	"0122 0526 0622 0928 1022  0209 0515 0611 0918 1011  0129 0505 0531 1006 1030  0218 0524 0619 0925 1019  " + // 2004
	"0207 0512 0608 0914 1007  0126 0502 0528 1003 1026  0214 0521 0616 0922 1016  0203 0510 0606 0912 1005  " + // 2008
	"0123 0428 0623 0930 1023  0210 0517 0612 0919 1013  0131 0506 0602 0908 1002  0219 0525 0620 0927 1021  " + // 2012
	"0208 0514 0609 0915 1009  0128 0503 0530 1004 1028  0216 0522 0618 0924 1017  0205 0512 0607 0913 1007  " + // 2016
	"0125 0430 0625 1001 1025  0212 0519 0614 0921 1014  0201 0508 0603 0910 1004  0122 0526 0622 0929 1023  " + // 2020
	"0210 0515 0610 0917 1011  0129 0505 0531 1006 1029  0217 0524 0619 0925 1018  0206 0513 0609 0915 1008  " //   2024

func lunarFestivals(y int) festivals {
	const width = 26 // of one year in lunarFestivalTable
	row := lunarFestivalTable[(y-firstYear)*width:]
	column := func(i int) market.Date {
		digits := row[5*i:]
		number := func(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }
		return date(y, time.Month(number(digits)), number(digits[2:]))
	}
	return festivals{newYear: column(0), buddha: column(1), tuenNg: column(2), midAutumn: column(3), chungYeung: column(4)}
}
