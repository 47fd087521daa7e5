package reference

import (
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// LocalClock is how an exchange keeps time whose holidays are not known here: its zone, the
// usual end of its day, and on which days of the week it may trade. It says on which
// day a moment falls there, and nothing of whether there was a session on it: that is
// for an Exchange. It is immutable.
type LocalClock struct {
	localExchange
	zone *time.Location
}

// localExchange is what distinguishes one such exchange from another.
type localExchange struct {
	suffix, mic, zoneName string
	// close is the end of continuous trading, and where that moves within the year or
	// differs between its segments the latest.
	close clockTime
	week  tradingWeek
	pause maxSessionGap
}

// tradingWeek is the days on which an exchange never trades. Single sessions on such a day,
// as India has in some years, are not known.
type tradingWeek int

const (
	monToFri tradingWeek = iota
	sunToThu             // Saudi Arabia, Qatar
	sunToFri             // Tel Aviv: from Sunday to Thursday until 2025, and on Friday in place of Sunday since
)

func (w tradingWeek) closedOn(d time.Weekday) bool {
	switch w {
	case sunToThu:
		return d == time.Friday || d == time.Saturday
	case sunToFri:
		return d == time.Saturday
	default:
		return d == time.Saturday || d == time.Sunday
	}
}

// maxSessionGap is more days than ever lie between two sessions, wars and crises left aside.
type maxSessionGap int

const (
	// holidays of one or two days and a weekend: Oslo is closed for five days at
	// Easter, Zurich for as long at some Christmases.
	shortGap maxSessionGap = 7
	// festivals that follow the moon: Taipei paused for twelve days in January 2023,
	// Riyadh for eleven in April and May 2022.
	longGap maxSessionGap = 14
)

// LocalClockOf returns the clock of the exchange that the suffix of a symbol names, or that
// an index is the home of. It is false where Of has a calendar, for what trades round
// the clock, and for exchanges that are not known.
func LocalClockOf(sym market.Symbol) (*LocalClock, bool) {
	if _, covered := calendarMIC(string(sym)); covered || strings.Contains(string(sym), "=") {
		return nil, false
	}
	suffix := indexSuffix(string(sym))
	if dot := strings.LastIndexByte(string(sym), '.'); dot >= 0 {
		suffix = string(sym)[dot+1:]
	}
	load, ok := localClocks()[suffix]
	if !ok {
		return nil, false
	}
	l := load()
	return l, l != nil
}

// DateOf is the day of a moment at the exchange that a symbol trades on; false for
// what trades round the clock and for exchanges that are not known.
func DateOf(sym market.Symbol, t time.Time) (market.Date, bool) {
	if e, ok := ExchangeOf(sym); ok {
		return e.DateOf(t), true
	}
	if l, ok := LocalClockOf(sym); ok {
		return l.DateOf(t), true
	}
	return market.Date{}, false
}

var localClocks = sync.OnceValue(func() map[string]func() *LocalClock {
	all := map[string]func() *LocalClock{}
	for _, v := range localExchanges() {
		all[v.suffix] = sync.OnceValue(func() *LocalClock {
			zone, err := time.LoadLocation(v.zoneName)
			if err != nil {
				return nil // see exchanges
			}
			return &LocalClock{localExchange: v, zone: zone}
		})
	}
	return all
})

// MIC is the market identifier code of the exchange.
func (l *LocalClock) MIC() string { return l.mic }

// DateOf is the day at the exchange at a moment.
func (l *LocalClock) DateOf(t time.Time) market.Date { return dateOf(t.In(l.zone)) }

// NextSettled is when the bar of the first day after d on which the exchange may trade
// is no longer provisional. Where that day is a holiday there is none.
func (l *LocalClock) NextSettled(d market.Date) time.Time {
	next := addDays(dateOf(d), 1)
	for l.week.closedOn(next.Weekday()) {
		next = addDays(next, 1)
	}
	return l.close.onDate(next, l.zone).Add(settlementDelay)
}

// SurelyTradedSince is a day since which the exchange has surely had a session at a moment,
// whatever holidays there were: what is of before is older than the last one.
func (l *LocalClock) SurelyTradedSince(t time.Time) market.Date {
	return addDays(l.DateOf(t), -int(l.pause))
}
