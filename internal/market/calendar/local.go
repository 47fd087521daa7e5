package calendar

import (
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Local is how an exchange keeps time whose holidays are not known here: its zone, the
// usual end of its day, and on which days of the week it may trade. It says on which
// day a moment falls there, and nothing of whether there was a session on it: that is
// for an Exchange. It is immutable.
type Local struct {
	local
	zone *time.Location
}

// local is what distinguishes one such exchange from another.
type local struct {
	suffix, mic, zoneName string
	// close is the end of continuous trading, and where that moves within the year or
	// differs between its segments the latest.
	close clock
	week  week
	pause pause
}

// week is the days on which an exchange never trades. Single sessions on such a day,
// as India has in some years, are not known.
type week int

const (
	monToFri week = iota
	sunToThu      // Saudi Arabia, Qatar
	sunToFri      // Tel Aviv: from Sunday to Thursday until 2025, and on Friday in place of Sunday since
)

func (w week) off(d time.Weekday) bool {
	switch w {
	case sunToThu:
		return d == time.Friday || d == time.Saturday
	case sunToFri:
		return d == time.Saturday
	default:
		return d == time.Saturday || d == time.Sunday
	}
}

// pause is more days than ever lie between two sessions, wars and crises left aside.
type pause int

const (
	// holidays of one or two days and a weekend: Oslo is closed for five days at
	// Easter, Zurich for as long at some Christmases.
	days pause = 7
	// festivals that follow the moon: Taipei paused for twelve days in January 2023,
	// Riyadh for eleven in April and May 2022.
	weeks pause = 14
)

// LocalOf returns the clock of the exchange that the suffix of a symbol names, or that
// an index is the home of. It is false where Of has a calendar, for what trades round
// the clock, and for exchanges that are not known.
func LocalOf(sym market.Symbol) (*Local, bool) {
	if _, covered := home(string(sym)); covered || strings.Contains(string(sym), "=") {
		return nil, false
	}
	suffix := indexSuffix(string(sym))
	if dot := strings.LastIndexByte(string(sym), '.'); dot >= 0 {
		suffix = string(sym)[dot+1:]
	}
	made, ok := locals()[suffix]
	if !ok {
		return nil, false
	}
	l := made()
	return l, l != nil
}

// DateOf is the day of a moment at the exchange that a symbol trades on; false for
// what trades round the clock and for exchanges that are not known.
func DateOf(sym market.Symbol, t time.Time) (market.Date, bool) {
	if e, ok := Of(sym); ok {
		return e.DateOf(t), true
	}
	if l, ok := LocalOf(sym); ok {
		return l.DateOf(t), true
	}
	return market.Date{}, false
}

var locals = sync.OnceValue(func() map[string]func() *Local {
	all := map[string]func() *Local{}
	for _, v := range localTable() {
		all[v.suffix] = sync.OnceValue(func() *Local {
			zone, err := time.LoadLocation(v.zoneName)
			if err != nil {
				return nil // see exchanges
			}
			return &Local{local: v, zone: zone}
		})
	}
	return all
})

// MIC is the market identifier code of the exchange.
func (l *Local) MIC() string { return l.mic }

// DateOf is the day at the exchange at a moment.
func (l *Local) DateOf(t time.Time) market.Date { return day(t.In(l.zone)) }

// NextSettled is when the bar of the first day after d on which the exchange may trade
// is no longer provisional. Where that day is a holiday there is none.
func (l *Local) NextSettled(d market.Date) time.Time {
	next := after(day(d), 1)
	for l.week.off(next.Weekday()) {
		next = after(next, 1)
	}
	return l.close.on(next, l.zone).Add(settling)
}

// Traded is a day since which the exchange has surely had a session at a moment,
// whatever holidays there were: what is of before is older than the last one.
func (l *Local) Traded(t time.Time) market.Date { return after(l.DateOf(t), -int(l.pause)) }
