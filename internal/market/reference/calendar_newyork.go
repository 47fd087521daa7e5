package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// newYorkExchange is the calendar that the New York Stock Exchange and Nasdaq share.
func newYorkExchange(mic, name string) exchangeRules {
	return exchangeRules{
		mic: mic, name: name, zoneName: "America/New_York",
		holidays: newYorkHolidays, halfDays: newYorkHalfDays, hours: newYorkHours,
	}
}

func newYorkHolidays(y int) []market.Date {
	days := []market.Date{
		// On a Saturday, New Year's Day is lost: the Friday ends a year's books.
		sundayToMonday(date(y, time.January, 1)),
		nthWeekday(y, time.January, time.Monday, 3),  // Martin Luther King Jr. Day
		nthWeekday(y, time.February, time.Monday, 3), // Washington's Birthday
		goodFriday(y),                                  //
		nthWeekday(y, time.May, time.Monday, -1),       // Memorial Day
		nearestWeekday(date(y, time.July, 4)),          // Independence Day
		nthWeekday(y, time.September, time.Monday, 1),  // Labor Day
		nthWeekday(y, time.November, time.Thursday, 4), // Thanksgiving Day
		nearestWeekday(date(y, time.December, 25)),
	}
	if y >= 2022 {
		days = append(days, nearestWeekday(date(y, time.June, 19))) // Juneteenth
	}
	return append(days, datesInYear(y,
		date(2001, time.September, 11), date(2001, time.September, 12), // attacks of 11 September
		date(2001, time.September, 13), date(2001, time.September, 14),
		date(2004, time.June, 11),                                  // mourning for Ronald Reagan
		date(2007, time.January, 2),                                // for Gerald Ford
		date(2012, time.October, 29), date(2012, time.October, 30), // Hurricane Sandy
		date(2018, time.December, 5), // mourning for George H. W. Bush
		date(2025, time.January, 9),  // for Jimmy Carter
	)...)
}

func newYorkHalfDays(y int) []market.Date {
	days := []market.Date{addDays(nthWeekday(y, time.November, time.Thursday, 4), 1)}
	// Christmas Eve on a Friday stands in for Christmas on the Saturday, and is closed.
	days = append(days, date(y, time.December, 24))
	switch third := date(y, time.July, 3); {
	case third.Weekday() == time.Wednesday && y < 2013:
		// Until 2013 a holiday on Thursday shortened the Friday after it.
		days = append(days, date(y, time.July, 5))
	default:
		days = append(days, third)
	}
	return append(days, datesInYear(y, date(2003, time.December, 26))...)
}

// newYorkHours gives trading before and after the session from 2014 on, since
// when it has been from 4:00 to 20:00; earlier hours differed between venues.
func newYorkHours(d market.Date, early bool) tradingHours {
	h := tradingHours{open: atTime(9, 30), close: atTime(16, 0)}
	post := atTime(20, 0)
	if early {
		h.close, post = atTime(13, 0), atTime(17, 0)
	}
	if d.Year() >= 2014 {
		h.preOpen, h.postClose = atTime(4, 0), post
	}
	return h
}
