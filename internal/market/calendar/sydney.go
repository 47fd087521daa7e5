package calendar

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// sydney is the calendar of the Australian Securities Exchange, of its cash
// market. Half days are told from 2010 on; those before are not known well enough.
func sydney() venue {
	return venue{
		mic: "XASX", name: "Australian Securities Exchange", zoneName: "Australia/Sydney",
		closed: sydneyClosed, early: sydneyEarly, hours: func(_ market.Date, early bool) hours {
			if early {
				return hours{open: at(10, 0), close: at(14, 10)}
			}
			return hours{open: at(10, 0), close: at(16, 0)}
		},
	}
}

func sydneyClosed(y int) []market.Date {
	days := []market.Date{
		toMonday(date(y, time.January, 1)),
		toMonday(date(y, time.January, 26)), // Australia Day
		goodFriday(y), easterMonday(y),
		date(y, time.April, 25),           // Anzac Day, lost on a weekend, whatever the state does
		nth(y, time.June, time.Monday, 2), // birthday of the sovereign
	}
	days = append(days, christmasAndBoxing(y)...)
	return append(days, in(y,
		date(2010, time.April, 26),     // Anzac Day, kept on the Monday that once
		date(2011, time.April, 26),     // Anzac Day fell on Easter Monday
		date(2022, time.September, 22), // mourning for Elizabeth II
	)...)
}

// sydneyEarly: 2022 alone had no half days.
func sydneyEarly(y int) []market.Date {
	if y < 2010 || y == 2022 {
		return nil
	}
	return eves(y)
}
