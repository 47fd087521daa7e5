package calendar

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// The exchanges of Euronext have had one calendar since 2003. Before, each still
// kept some holidays of its country.

func paris() venue {
	return euronext("XPAR", "Euronext Paris", "Europe/Paris", func(y int) []market.Date {
		if y > 2001 {
			return nil
		}
		return []market.Date{whitMonday(y), date(y, time.July, 14), date(y, time.December, 31)}
	})
}

func amsterdam() venue {
	return euronext("XAMS", "Euronext Amsterdam", "Europe/Amsterdam", func(y int) []market.Date {
		if y > 2001 {
			return nil
		}
		days := []market.Date{whitMonday(y), date(y, time.April, 30), date(y, time.December, 31)}
		if y == 2000 {
			days = append(days, ascension(y))
		}
		return days
	})
}

func brussels() venue {
	return euronext("XBRU", "Euronext Brussels", "Europe/Brussels", func(y int) []market.Date {
		if y > 2001 {
			return nil
		}
		days := []market.Date{whitMonday(y), date(y, time.July, 21), date(y, time.December, 31)}
		if y == 2000 {
			days = append(days, ascension(y))
		}
		return days
	})
}

// lisbon joined in 2002. It trades at the hours of Paris, an hour earlier by its
// own clocks.
func lisbon() venue {
	v := euronext("XLIS", "Euronext Lisbon", "Europe/Lisbon", func(y int) []market.Date {
		if y > 2002 {
			return nil
		}
		days := []market.Date{
			after(easter(y), -47), after(easter(y), 60), // Carnival, Corpus Christi
			date(y, time.April, 25), date(y, time.June, 10), date(y, time.August, 15), date(y, time.October, 5),
			date(y, time.November, 1), date(y, time.December, 1), date(y, time.December, 8), date(y, time.December, 24),
		}
		if y < 2002 {
			days = append(days, date(y, time.June, 13)) // Saint Anthony, of Lisbon itself
		}
		return days
	})
	v.hours = func(_ market.Date, early bool) hours {
		if early {
			return hours{open: at(8, 0), close: at(13, 5)}
		}
		return hours{open: at(8, 0), close: at(16, 30)}
	}
	return v
}

func euronext(mic, name, zone string, own func(y int) []market.Date) venue {
	return venue{
		mic: mic, name: name, zoneName: zone,
		closed: func(y int) []market.Date {
			return append(own(y),
				date(y, time.January, 1), goodFriday(y), easterMonday(y), date(y, time.May, 1),
				date(y, time.December, 25), date(y, time.December, 26))
		},
		early: func(y int) []market.Date {
			return []market.Date{date(y, time.December, 24), date(y, time.December, 31)}
		},
		hours: func(_ market.Date, early bool) hours {
			if early {
				return hours{open: at(9, 0), close: at(14, 5)}
			}
			return hours{open: at(9, 0), close: at(17, 30)}
		},
	}
}
