package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// torontoExchange is the calendar of the Toronto Stock Exchange: the holidays of Ontario.
func torontoExchange() exchangeRules {
	return exchangeRules{
		mic: "XTSE", name: "Toronto Stock Exchange", zoneName: "America/Toronto",
		holidays: torontoHolidays,
		halfDays: func(y int) []market.Date {
			if y < 2002 {
				return nil
			}
			return []market.Date{date(y, time.December, 24)}
		},
		hours: func(_ market.Date, early bool) tradingHours {
			if early {
				return tradingHours{open: atTime(9, 30), close: atTime(13, 0)}
			}
			return tradingHours{open: atTime(9, 30), close: atTime(16, 0)}
		},
	}
}

func torontoHolidays(y int) []market.Date {
	days := []market.Date{
		toMonday(date(y, time.January, 1)), goodFriday(y),
		onOrBefore(date(y, time.May, 24), time.Monday), // Victoria Day
		toMonday(date(y, time.July, 1)),                // Canada Day
		nthWeekday(y, time.August, time.Monday, 1),     // Civic Holiday
		nthWeekday(y, time.September, time.Monday, 1),  // Labour Day
		nthWeekday(y, time.October, time.Monday, 2),    // Thanksgiving
	}
	if y >= 2008 {
		days = append(days, nthWeekday(y, time.February, time.Monday, 3)) // Family Day
	}
	days = append(days, christmasAndBoxing(y)...)
	return append(days, datesInYear(y,
		// Attacks of 11 September: the first day ended within the hour of its opening.
		date(2001, time.September, 11), date(2001, time.September, 12),
	)...)
}
