package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// frankfurtExchange is the calendar of Xetra. Since 2000 it has traded on holidays of the
// country, with the exceptions below.
func frankfurtExchange() exchangeRules {
	return exchangeRules{
		mic: "XETR", name: "Xetra", zoneName: "Europe/Berlin",
		holidays: frankfurtHolidays, halfDays: frankfurtHalfDays, hours: frankfurtHours,
	}
}

func frankfurtHolidays(y int) []market.Date {
	days := []market.Date{
		date(y, time.January, 1), goodFriday(y), easterMonday(y), date(y, time.May, 1),
		date(y, time.December, 24), date(y, time.December, 25), date(y, time.December, 26),
		date(y, time.December, 31),
	}
	if y == 2007 || y >= 2015 && y <= 2021 {
		days = append(days, whitMonday(y))
	}
	if y >= 2014 && y <= 2021 {
		days = append(days, date(y, time.October, 3)) // Day of German Unity
	}
	return append(days, datesInYear(y,
		date(2000, time.October, 3),  // ten years of German Unity
		date(2017, time.October, 31), // 500 years of the Reformation
	)...)
}

// frankfurtHalfDays: the last session of a year is short. That is decided each
// December anew; it has been so since 2005 at least.
func frankfurtHalfDays(y int) []market.Date {
	if y < 2005 {
		return nil
	}
	return []market.Date{toFriday(date(y, time.December, 30))}
}

// frankfurtHours: from 2 June 2000 to 31 October 2003 Xetra traded until 20:00.
func frankfurtHours(d market.Date, early bool) tradingHours {
	switch {
	case early:
		return tradingHours{open: atTime(9, 0), close: atTime(14, 0)}
	case !d.Before(date(2000, time.June, 2)) && d.Before(date(2003, time.November, 3)):
		return tradingHours{open: atTime(9, 0), close: atTime(20, 0)}
	default:
		return tradingHours{open: atTime(9, 0), close: atTime(17, 30)}
	}
}
