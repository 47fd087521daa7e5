package reference

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Windows and small containers have no time zone database

	"github.com/nfa-cli/nfa/internal/market"
)

// Errors of this package.
var (
	// ErrYearNotCovered means that a date is outside the years of the calendar.
	ErrYearNotCovered = errors.New("outside the trading calendar, which covers 2000 to 2027")
	// ErrNoSession means that the exchange does not trade on the day.
	ErrNoSession = errors.New("no trading session on this day")
)

const (
	firstYear = 2000
	lastYear  = 2027
)

//go:embed closures.txt
var closures string

// Exchange is the calendar of one exchange. It is immutable.
type Exchange struct {
	exchangeRules
	zone             *time.Location
	closed, halfDays map[market.Date]bool // weekdays
}

// exchangeRules are the properties of an exchange; its closed days are in closures.txt.
type exchangeRules struct {
	mic, name, zoneName string
	hours               []tradingHours // oldest first
}

// exchangeTable lists the exchanges. New York has pre-market and after-hours times (4:00 to 20:00) only from
// 2014 on; before that they differed between venues.
func exchangeTable() []exchangeRules {
	newYork := []tradingHours{
		{open: atTime(9, 30), close: atTime(16, 0), earlyClose: atTime(13, 0)},
		{since: date(2014, 1, 1), open: atTime(9, 30), close: atTime(16, 0), earlyClose: atTime(13, 0),
			preOpen: atTime(4, 0), postClose: atTime(20, 0), earlyPostClose: atTime(17, 0)},
	}
	euronext := []tradingHours{{open: atTime(9, 0), close: atTime(17, 30), earlyClose: atTime(14, 5)}}
	return []exchangeRules{
		{"XNYS", "New York Stock Exchange", "America/New_York", newYork},
		{"XNAS", "Nasdaq", "America/New_York", newYork},
		{"ARCX", "NYSE Arca", "America/New_York", newYork},
		{"BATS", "Cboe BZX", "America/New_York", newYork},
		{"XLON", "London Stock Exchange", "Europe/London", []tradingHours{{open: atTime(8, 0), close: atTime(16, 30), earlyClose: atTime(12, 30)}}},
		{"XETR", "Xetra", "Europe/Berlin", []tradingHours{
			{open: atTime(9, 0), close: atTime(17, 30)},
			{since: date(2000, time.June, 2), open: atTime(9, 0), close: atTime(20, 0)},
			{since: date(2003, time.November, 3), open: atTime(9, 0), close: atTime(17, 30), earlyClose: atTime(14, 0)},
		}},
		{"XPAR", "Euronext Paris", "Europe/Paris", euronext},
		{"XAMS", "Euronext Amsterdam", "Europe/Amsterdam", euronext},
		{"XBRU", "Euronext Brussels", "Europe/Brussels", euronext},
		// Lisbon trades at the same time as Paris, an hour earlier in local time.
		{"XLIS", "Euronext Lisbon", "Europe/Lisbon", []tradingHours{{open: atTime(8, 0), close: atTime(16, 30), earlyClose: atTime(13, 5)}}},
		{"XTSE", "Toronto Stock Exchange", "America/Toronto", []tradingHours{{open: atTime(9, 30), close: atTime(16, 0), earlyClose: atTime(13, 0)}}},
		{"XTKS", "Tokyo Stock Exchange", "Asia/Tokyo", []tradingHours{
			{open: atTime(9, 0), lunchFrom: atTime(11, 0), lunchTo: atTime(12, 30), close: atTime(15, 0), earlyClose: atTime(11, 0)},
			{since: date(2011, time.November, 21), open: atTime(9, 0), lunchFrom: atTime(11, 30), lunchTo: atTime(12, 30), close: atTime(15, 0)},
			{since: date(2024, time.November, 5), open: atTime(9, 0), lunchFrom: atTime(11, 30), lunchTo: atTime(12, 30), close: atTime(15, 30)},
		}},
		{"XHKG", "Stock Exchange of Hong Kong", "Asia/Hong_Kong", []tradingHours{
			{open: atTime(10, 0), lunchFrom: atTime(12, 30), lunchTo: atTime(14, 30), close: atTime(16, 0), earlyClose: atTime(12, 30)},
			{since: date(2011, time.March, 7), open: atTime(9, 30), lunchFrom: atTime(12, 0), lunchTo: atTime(13, 30), close: atTime(16, 0), earlyClose: atTime(12, 0)},
			{since: date(2012, time.March, 5), open: atTime(9, 30), lunchFrom: atTime(12, 0), lunchTo: atTime(13, 0), close: atTime(16, 0), earlyClose: atTime(12, 0)},
		}},
		{"XASX", "Australian Securities Exchange", "Australia/Sydney", []tradingHours{{open: atTime(10, 0), close: atTime(16, 0), earlyClose: atTime(14, 10)}}},
	}
}

// ExchangeByMIC returns the calendar of the exchange with a market identifier code (ISO 10383) such as
// "XNYS". It reports false for an exchange that is not covered. All callers share the calendar.
func ExchangeByMIC(mic string) (*Exchange, bool) {
	load, ok := exchanges()[mic]
	if !ok {
		return nil, false
	}
	e := load()
	return e, e != nil
}

// exchanges maps each exchange to its constructor, which runs once because a calendar loads a time
// zone and hundreds of dates.
var exchanges = sync.OnceValue(func() map[string]func() *Exchange {
	all := map[string]func() *Exchange{}
	for _, rules := range exchangeTable() {
		all[rules.mic] = sync.OnceValue(func() *Exchange { return newExchange(rules) })
	}
	return all
})

// newExchange returns nil if the time zone cannot be loaded, not even from the embedded database.
func newExchange(rules exchangeRules) *Exchange {
	zone, err := time.LoadLocation(rules.zoneName)
	if err != nil {
		return nil
	}
	e := &Exchange{exchangeRules: rules, zone: zone, closed: map[market.Date]bool{}, halfDays: map[market.Date]bool{}}
	for line := range strings.Lines(closures) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) < 2 || !slices.Contains(strings.Split(fields[0], ","), rules.mic) {
			continue
		}
		days := e.closed
		for _, field := range fields[2:] {
			if field == "|" {
				days = e.halfDays
				continue
			}
			day, err := time.Parse("20060102", fields[1]+field)
			if err != nil {
				panic("closures.txt: " + line) // tests read every line
			}
			days[day] = true
		}
	}
	return e
}

// CalendarMICs lists the exchanges with a calendar.
func CalendarMICs() []string {
	var out []string
	for _, rules := range exchangeTable() {
		out = append(out, rules.mic)
	}
	return out
}

// MIC returns the market identifier code of the exchange.
func (e *Exchange) MIC() string { return e.mic }

// Name returns the common name of the exchange.
func (e *Exchange) Name() string { return e.name }

// Location returns the time zone of the exchange.
func (e *Exchange) Location() *time.Location { return e.zone }

// DateOf returns the local date of t at the exchange.
func (e *Exchange) DateOf(t time.Time) market.Date { return dateOf(t.In(e.zone)) }

// NextSession returns the first session that opens after t. Beyond 2027, this and the following methods
// return ErrYearNotCovered.
func (e *Exchange) NextSession(t time.Time) (Session, error) {
	return e.findSession("next session", e.DateOf(t), 1, func(s Session) bool { return s.Open.After(t) })
}

// LastCompleted returns the newest session that has closed by t. An older price is stale. The bar of the
// session may still be provisional: see Session.Settled.
func (e *Exchange) LastCompleted(t time.Time) (Session, error) {
	return e.findSession("last completed session", e.DateOf(t), -1, func(s Session) bool { return !s.Close.After(t) })
}

// PreviousSession returns the newest session before the day d.
func (e *Exchange) PreviousSession(d market.Date) (Session, error) {
	return e.findSession("previous session", addDays(dateOf(d), -1), -1, func(Session) bool { return true })
}

// findSession returns the first matching session, going from a day in steps of step days.
func (e *Exchange) findSession(what string, from market.Date, step int, matches func(Session) bool) (Session, error) {
	for d := from; ; d = addDays(d, step) {
		s, err := e.Session(d)
		switch {
		case errors.Is(err, ErrYearNotCovered):
			return Session{}, fmt.Errorf("%s: %w", what, err)
		case err == nil && matches(s):
			return s, nil
		}
	}
}

func date(y int, m time.Month, d int) market.Date {
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// dateOf returns the date of t in its own time zone.
func dateOf(t time.Time) market.Date { return date(t.Year(), t.Month(), t.Day()) }

func addDays(d market.Date, days int) market.Date { return d.AddDate(0, 0, days) }
