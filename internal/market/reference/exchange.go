package reference

import (
	"errors"
	"sync"
	"time"
	_ "time/tzdata" // Windows and small containers have no zone database of their own

	"github.com/nfa-cli/nfa/internal/market"
)

// What the errors of this package mean.
var (
	// ErrYearNotCovered means that a date lies outside the years that are known.
	ErrYearNotCovered = errors.New("outside the calendar, which covers 2000 to 2027")
	// ErrNoSession means that the exchange does not trade on the day.
	ErrNoSession = errors.New("no session on this day")
)

const (
	firstYear = 2000
	lastYear  = 2027
)

// Exchange is the calendar of one exchange. Its years are worked out when first
// asked for, and kept. It is safe for concurrent use.
type Exchange struct {
	exchangeRules
	zone  *time.Location
	years [lastYear - firstYear + 1]struct {
		once sync.Once
		yearDays
	}
}

// exchangeRules is what distinguishes one exchange from another.
type exchangeRules struct {
	mic, name, zoneName string
	// holidays lists the days of a year without trading; weekends need not be there.
	holidays func(year int) []market.Date
	// halfDays lists half days; those that are closed or on a weekend do not count.
	halfDays func(year int) []market.Date
	hours    func(d market.Date, early bool) tradingHours
}

// ExchangeByMIC returns the calendar of the exchange with this market identifier code
// (ISO 10383), such as "XNYS", and false for one that is not covered. All callers share
// it.
func ExchangeByMIC(mic string) (*Exchange, bool) {
	load, ok := exchanges()[mic]
	if !ok {
		return nil, false
	}
	e := load()
	return e, e != nil
}

// exchanges are all that there are, each made when it is first asked for: prices are
// held against their sessions one by one, and a zone is read from a file.
var exchanges = sync.OnceValue(func() map[string]func() *Exchange {
	all := map[string]func() *Exchange{}
	for _, v := range exchangeTable() {
		all[v.mic] = sync.OnceValue(func() *Exchange {
			zone, err := time.LoadLocation(v.zoneName)
			if err != nil {
				// The zones are linked in: this is a machine whose own are broken too.
				return nil
			}
			return &Exchange{exchangeRules: v, zone: zone}
		})
	}
	return all
})

// CalendarMICs lists the exchanges that ExchangeByMIC knows.
func CalendarMICs() []string {
	var out []string
	for _, v := range exchangeTable() {
		out = append(out, v.mic)
	}
	return out
}

func exchangeTable() []exchangeRules {
	return []exchangeRules{
		newYorkExchange("XNYS", "New York Stock Exchange"), newYorkExchange("XNAS", "Nasdaq"),
		newYorkExchange("ARCX", "NYSE Arca"), newYorkExchange("BATS", "Cboe BZX"),
		londonExchange(), frankfurtExchange(), parisExchange(), amsterdamExchange(), brusselsExchange(), lisbonExchange(),
		torontoExchange(), tokyoExchange(), hongKongExchange(), sydneyExchange(),
	}
}

// MIC is the market identifier code of the exchange.
func (e *Exchange) MIC() string { return e.mic }

// Name is what people call the exchange.
func (e *Exchange) Name() string { return e.name }

// Location is the time zone in which the exchange keeps its hours.
func (e *Exchange) Location() *time.Location { return e.zone }

// DateOf is the day at the exchange at a moment.
func (e *Exchange) DateOf(t time.Time) market.Date { return dateOf(t.In(e.zone)) }
