package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// sydneyExchange is the calendar of the Australian Securities Exchange, of its cash market.
// Half days are listed from 2010 on; earlier ones are not known well enough.
func sydneyExchange() exchangeRules {
	return exchangeRules{
		mic: "XASX", name: "Australian Securities Exchange", zoneName: "Australia/Sydney",
		holidays: sydneyHolidays, halfDays: sydneyHalfDays, hours: func(_ market.Date, early bool) tradingHours {
			if early {
				return tradingHours{open: atTime(10, 0), close: atTime(14, 10)}
			}
			return tradingHours{open: atTime(10, 0), close: atTime(16, 0)}
		},
	}
}

func sydneyHolidays(y int) []market.Date {
	days := []market.Date{
		toMonday(date(y, time.January, 1)),
		toMonday(date(y, time.January, 26)), // Australia Day
		goodFriday(y), easterMonday(y),
		date(y, time.April, 25),                  // Anzac Day, lost on a weekend, whatever the state does
		nthWeekday(y, time.June, time.Monday, 2), // birthday of the sovereign
	}
	days = append(days, christmasAndBoxing(y)...)
	return append(days, datesInYear(y,
		date(2010, time.April, 26),     // Anzac Day, kept on the Monday that once
		date(2011, time.April, 26),     // Anzac Day fell on Easter Monday
		date(2022, time.September, 22), // mourning for Elizabeth II
	)...)
}

// sydneyHalfDays: 2022 alone had no half days.
func sydneyHalfDays(y int) []market.Date {
	if y < 2010 || y == 2022 {
		return nil
	}
	return eveHalfDays(y)
}
