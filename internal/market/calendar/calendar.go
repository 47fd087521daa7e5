package calendar

import (
	"errors"
	"sync"
	"time"
	_ "time/tzdata" // Windows and small containers have no zone database of their own

	"github.com/nfa-cli/nfa/internal/market"
)

// What the errors of this package mean.
var (
	// ErrNotCovered means that a date lies outside the years that are known.
	ErrNotCovered = errors.New("outside the calendar, which covers 2000 to 2027")
	// ErrClosed means that the exchange does not trade on the day.
	ErrClosed = errors.New("no session on this day")
)

const (
	firstYear = 2000
	lastYear  = 2027
)

// Exchange is the calendar of one exchange. Its years are worked out when first
// asked for, and kept. It is safe for concurrent use.
type Exchange struct {
	venue
	zone  *time.Location
	years [lastYear - firstYear + 1]struct {
		once sync.Once
		year
	}
}

// venue is what distinguishes one exchange from another.
type venue struct {
	mic, name, zoneName string
	// closed lists the days of a year without trading; weekends need not be there.
	closed func(year int) []market.Date
	// early lists half days; those that are closed or on a weekend do not count.
	early func(year int) []market.Date
	hours func(d market.Date, early bool) hours
}

// For returns the calendar of the exchange with this market identifier code
// (ISO 10383), such as "XNYS", and false for one that is not covered. All callers share
// it.
func For(mic string) (*Exchange, bool) {
	made, ok := exchanges()[mic]
	if !ok {
		return nil, false
	}
	e := made()
	return e, e != nil
}

// exchanges are all that there are, each made when it is first asked for: prices are
// held against their sessions one by one, and a zone is read from a file.
var exchanges = sync.OnceValue(func() map[string]func() *Exchange {
	all := map[string]func() *Exchange{}
	for _, v := range venues() {
		all[v.mic] = sync.OnceValue(func() *Exchange {
			zone, err := time.LoadLocation(v.zoneName)
			if err != nil {
				// The zones are linked in: this is a machine whose own are broken too.
				return nil
			}
			return &Exchange{venue: v, zone: zone}
		})
	}
	return all
})

// MICs lists the exchanges that For knows.
func MICs() []string {
	var out []string
	for _, v := range venues() {
		out = append(out, v.mic)
	}
	return out
}

func venues() []venue {
	return []venue{
		newYork("XNYS", "New York Stock Exchange"), newYork("XNAS", "Nasdaq"),
		newYork("ARCX", "NYSE Arca"), newYork("BATS", "Cboe BZX"),
		london(), frankfurt(), paris(), amsterdam(), brussels(), lisbon(),
		toronto(), tokyo(), hongKong(), sydney(),
	}
}

// MIC is the market identifier code of the exchange.
func (e *Exchange) MIC() string { return e.mic }

// Name is what people call the exchange.
func (e *Exchange) Name() string { return e.name }

// Location is the time zone in which the exchange keeps its hours.
func (e *Exchange) Location() *time.Location { return e.zone }

// DateOf is the day at the exchange at a moment.
func (e *Exchange) DateOf(t time.Time) market.Date { return day(t.In(e.zone)) }
