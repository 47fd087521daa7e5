package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// londonExchange is the calendar of the London Stock Exchange: the bank holidays of
// England and Wales.
func londonExchange() exchangeRules {
	return exchangeRules{
		mic: "XLON", name: "London Stock Exchange", zoneName: "Europe/London",
		holidays: londonHolidays, halfDays: eveHalfDays, hours: func(_ market.Date, early bool) tradingHours {
			if early {
				return tradingHours{open: atTime(8, 0), close: atTime(12, 30)}
			}
			return tradingHours{open: atTime(8, 0), close: atTime(16, 30)}
		},
	}
}

func londonHolidays(y int) []market.Date {
	days := []market.Date{
		toMonday(date(y, time.January, 1)), goodFriday(y), easterMonday(y),
		nthWeekday(y, time.August, time.Monday, -1),
	}
	days = append(days, christmasAndBoxing(y)...)
	days = append(days, earlyMay(y), springBank(y))
	return append(days, datesInYear(y,
		date(2002, time.June, 3),       // Golden Jubilee; the spring holiday is on the 4th
		date(2011, time.April, 29),     // wedding of Prince William
		date(2012, time.June, 5),       // Diamond Jubilee
		date(2022, time.June, 3),       // Platinum Jubilee
		date(2022, time.September, 19), // funeral of Elizabeth II
		date(2023, time.May, 8),        // coronation of Charles III
	)...)
}

// earlyMay was on the day of the victory in Europe, 75 years on.
func earlyMay(y int) market.Date {
	if y == 2020 {
		return date(2020, time.May, 8)
	}
	return nthWeekday(y, time.May, time.Monday, 1)
}

// springBank moves to the jubilees of Elizabeth II.
func springBank(y int) market.Date {
	switch y {
	case 2002:
		return date(2002, time.June, 4)
	case 2012:
		return date(2012, time.June, 4)
	case 2022:
		return date(2022, time.June, 2)
	default:
		return nthWeekday(y, time.May, time.Monday, -1)
	}
}

// eveHalfDays are the last weekdays before Christmas and before the New Year.
func eveHalfDays(y int) []market.Date {
	return []market.Date{toFriday(date(y, time.December, 24)), toFriday(date(y, time.December, 31))}
}
