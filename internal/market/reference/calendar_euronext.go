package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// The exchanges of Euronext have had one calendar since 2003. Before, each still
// kept some holidays of its country.

func parisExchange() exchangeRules {
	return euronextExchange("XPAR", "Euronext Paris", "Europe/Paris", func(y int) []market.Date {
		if y > 2001 {
			return nil
		}
		return []market.Date{whitMonday(y), date(y, time.July, 14), date(y, time.December, 31)}
	})
}

func amsterdamExchange() exchangeRules {
	return euronextExchange("XAMS", "Euronext Amsterdam", "Europe/Amsterdam", func(y int) []market.Date {
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

func brusselsExchange() exchangeRules {
	return euronextExchange("XBRU", "Euronext Brussels", "Europe/Brussels", func(y int) []market.Date {
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

// lisbonExchange joined in 2002. It trades at the hours of Paris, an hour earlier by its
// own clocks.
func lisbonExchange() exchangeRules {
	v := euronextExchange("XLIS", "Euronext Lisbon", "Europe/Lisbon", func(y int) []market.Date {
		if y > 2002 {
			return nil
		}
		days := []market.Date{
			addDays(easter(y), -47), addDays(easter(y), 60), // Carnival, Corpus Christi
			date(y, time.April, 25), date(y, time.June, 10), date(y, time.August, 15), date(y, time.October, 5),
			date(y, time.November, 1), date(y, time.December, 1), date(y, time.December, 8), date(y, time.December, 24),
		}
		if y < 2002 {
			days = append(days, date(y, time.June, 13)) // Saint Anthony, of Lisbon itself
		}
		return days
	})
	v.hours = func(_ market.Date, early bool) tradingHours {
		if early {
			return tradingHours{open: atTime(8, 0), close: atTime(13, 5)}
		}
		return tradingHours{open: atTime(8, 0), close: atTime(16, 30)}
	}
	return v
}

func euronextExchange(mic, name, zone string, own func(y int) []market.Date) exchangeRules {
	return exchangeRules{
		mic: mic, name: name, zoneName: zone,
		holidays: func(y int) []market.Date {
			return append(own(y),
				date(y, time.January, 1), goodFriday(y), easterMonday(y), date(y, time.May, 1),
				date(y, time.December, 25), date(y, time.December, 26))
		},
		halfDays: func(y int) []market.Date {
			return []market.Date{date(y, time.December, 24), date(y, time.December, 31)}
		},
		hours: func(_ market.Date, early bool) tradingHours {
			if early {
				return tradingHours{open: atTime(9, 0), close: atTime(14, 5)}
			}
			return tradingHours{open: atTime(9, 0), close: atTime(17, 30)}
		},
	}
}
