package calendar

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// toronto is the calendar of the Toronto Stock Exchange: the holidays of Ontario.
func toronto() venue {
	return venue{
		mic: "XTSE", name: "Toronto Stock Exchange", zoneName: "America/Toronto",
		closed: torontoClosed,
		early: func(y int) []market.Date {
			if y < 2002 {
				return nil
			}
			return []market.Date{date(y, time.December, 24)}
		},
		hours: func(_ market.Date, early bool) hours {
			if early {
				return hours{open: at(9, 30), close: at(13, 0)}
			}
			return hours{open: at(9, 30), close: at(16, 0)}
		},
	}
}

func torontoClosed(y int) []market.Date {
	days := []market.Date{
		toMonday(date(y, time.January, 1)), goodFriday(y),
		onOrBefore(date(y, time.May, 24), time.Monday), // Victoria Day
		toMonday(date(y, time.July, 1)),                // Canada Day
		nth(y, time.August, time.Monday, 1),            // Civic Holiday
		nth(y, time.September, time.Monday, 1),         // Labour Day
		nth(y, time.October, time.Monday, 2),           // Thanksgiving
	}
	if y >= 2008 {
		days = append(days, nth(y, time.February, time.Monday, 3)) // Family Day
	}
	days = append(days, christmasAndBoxing(y)...)
	return append(days, in(y,
		// Attacks of 11 September: the first day ended within the hour of its opening.
		date(2001, time.September, 11), date(2001, time.September, 12),
	)...)
}
