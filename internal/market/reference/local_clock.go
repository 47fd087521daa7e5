package reference

import (
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// LocalClock is the time zone, usual closing time and possible trading days of an exchange whose holidays are
// unknown. It gives the local date of a time, but not whether there was a session; for that, use Exchange. It
// is immutable.
type LocalClock struct {
	localExchange
	zone *time.Location
}

// localExchange holds the properties of one such exchange.
type localExchange struct {
	suffix, mic, zoneName string
	// close is the end of continuous trading, or the latest one if it varies within the year or by segment.
	close clockTime
	week  tradingWeek
	pause maxSessionGap
}

// tradingWeek is the days of the week on which an exchange may trade. Exceptional sessions on other days,
// which India has in some years, are not included.
type tradingWeek int

const (
	monToFri tradingWeek = iota
	sunToThu             // Saudi Arabia, Qatar
	sunToFri             // Tel Aviv: Sunday to Thursday until 2025, Monday to Friday since then
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

// maxSessionGap is more than the days between any two sessions, except in wars and crises.
type maxSessionGap int

const (
	// Holidays of one or two days next to a weekend: Oslo closes for five days at Easter, and Zurich in some
	// years at Christmas.
	shortGap maxSessionGap = 7
	// Lunar holidays: Taipei closed for twelve days in January 2023, Riyadh for eleven in April and May 2022.
	longGap maxSessionGap = 14
)

// LocalClockOf returns the clock of the exchange of a symbol's suffix, or of an index's home exchange. It
// reports false if ExchangeOf has a calendar, for instruments that trade around the clock, and for unknown
// exchanges.
func LocalClockOf(sym market.Symbol) (*LocalClock, bool) {
	if _, covered := calendarMIC(string(sym)); covered || strings.Contains(string(sym), "=") {
		return nil, false
	}
	suffix := indexSuffixes[string(sym)]
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

// DateOf returns the local date at the exchange of a symbol. It reports false for instruments that trade
// around the clock and for unknown exchanges.
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

// MIC returns the market identifier code of the exchange.
func (l *LocalClock) MIC() string { return l.mic }

// DateOf returns the local date of t at the exchange.
func (l *LocalClock) DateOf(t time.Time) market.Date { return dateOf(t.In(l.zone)) }

// NextSettled returns when the bar of the first possible trading day after d is no longer
// provisional. If that day is a holiday, there is no bar.
func (l *LocalClock) NextSettled(d market.Date) time.Time {
	next := addDays(dateOf(d), 1)
	for l.week.closedOn(next.Weekday()) {
		next = addDays(next, 1)
	}
	return l.close.onDate(next, l.zone).Add(settlementDelay)
}

// SurelyTradedSince returns a day since which the exchange must have had a session, even with holidays. Data
// older than that is missing a session.
func (l *LocalClock) SurelyTradedSince(t time.Time) market.Date {
	return addDays(l.DateOf(t), -int(l.pause))
}

// localExchanges lists the exchanges without a calendar whose symbols have a suffix.
//
// Time zones are those of the tz database. Closing times are the hours published by the exchanges. Those of
// Bangkok, Iceland, Istanbul, Mexico, New Zealand, Riyadh, Santiago, Singapore, Tel Aviv and Warsaw were
// compared with the projects exchange_calendars and trading_calendars, as were the trading weeks of Riyadh
// and Tel Aviv. The close varies in Sao Paulo, Mexico and Santiago, which follow the daylight saving time of
// New York, and in Tel Aviv, which closes early on Sunday and Friday; the latest close is listed. The German
// trading floors trade some securities until 20:00 and others until 22:00.
func localExchanges() []localExchange {
	return []localExchange{
		{"IL", "XLON", "Europe/London", atTime(16, 30), monToFri, shortGap},
		{"F", "XFRA", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"BE", "XBER", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"DU", "XDUS", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"HM", "XHAM", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"HA", "XHAN", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"MU", "XMUN", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"SG", "XSTU", "Europe/Berlin", atTime(22, 0), monToFri, shortGap},
		{"IR", "XMSM", "Europe/Dublin", atTime(16, 30), monToFri, shortGap},
		{"MI", "XMIL", "Europe/Rome", atTime(17, 30), monToFri, shortGap},
		{"OL", "XOSL", "Europe/Oslo", atTime(16, 20), monToFri, shortGap},
		{"MC", "XMAD", "Europe/Madrid", atTime(17, 30), monToFri, shortGap},
		{"SW", "XSWX", "Europe/Zurich", atTime(17, 20), monToFri, shortGap},
		{"VI", "XWBO", "Europe/Vienna", atTime(17, 30), monToFri, shortGap},
		{"ST", "XSTO", "Europe/Stockholm", atTime(17, 25), monToFri, shortGap},
		{"CO", "XCSE", "Europe/Copenhagen", atTime(16, 55), monToFri, shortGap},
		{"HE", "XHEL", "Europe/Helsinki", atTime(18, 25), monToFri, shortGap},
		{"IC", "XICE", "Atlantic/Reykjavik", atTime(15, 30), monToFri, shortGap},
		{"WA", "XWAR", "Europe/Warsaw", atTime(17, 5), monToFri, shortGap},
		{"PR", "XPRA", "Europe/Prague", atTime(16, 25), monToFri, shortGap},
		{"BD", "XBUD", "Europe/Budapest", atTime(17, 5), monToFri, shortGap},
		{"AT", "ASEX", "Europe/Athens", atTime(17, 20), monToFri, shortGap},
		{"IS", "XIST", "Europe/Istanbul", atTime(18, 0), monToFri, longGap},
		{"TA", "XTAE", "Asia/Jerusalem", atTime(17, 15), sunToFri, longGap},
		{"CN", "XCNQ", "America/Toronto", atTime(16, 0), monToFri, shortGap},
		{"NE", "NEOE", "America/Toronto", atTime(16, 0), monToFri, shortGap},
		{"MX", "XMEX", "America/Mexico_City", atTime(15, 0), monToFri, shortGap},
		{"SA", "BVMF", "America/Sao_Paulo", atTime(18, 0), monToFri, shortGap},
		{"BA", "XBUE", "America/Argentina/Buenos_Aires", atTime(17, 0), monToFri, shortGap},
		{"SN", "XSGO", "America/Santiago", atTime(17, 0), monToFri, shortGap},
		{"SS", "XSHG", "Asia/Shanghai", atTime(15, 0), monToFri, longGap},
		{"SZ", "XSHE", "Asia/Shanghai", atTime(15, 0), monToFri, longGap},
		{"TW", "XTAI", "Asia/Taipei", atTime(13, 30), monToFri, longGap},
		{"TWO", "ROCO", "Asia/Taipei", atTime(13, 30), monToFri, longGap},
		{"KS", "XKRX", "Asia/Seoul", atTime(15, 30), monToFri, longGap},
		{"KQ", "XKOS", "Asia/Seoul", atTime(15, 30), monToFri, longGap},
		{"SI", "XSES", "Asia/Singapore", atTime(17, 0), monToFri, shortGap},
		{"KL", "XKLS", "Asia/Kuala_Lumpur", atTime(17, 0), monToFri, longGap},
		{"BK", "XBKK", "Asia/Bangkok", atTime(16, 30), monToFri, longGap},
		{"JK", "XIDX", "Asia/Jakarta", atTime(16, 0), monToFri, longGap},
		{"NS", "XNSE", "Asia/Kolkata", atTime(15, 30), monToFri, shortGap},
		{"BO", "XBOM", "Asia/Kolkata", atTime(15, 30), monToFri, shortGap},
		{"NZ", "XNZE", "Pacific/Auckland", atTime(16, 45), monToFri, shortGap},
		{"JO", "XJSE", "Africa/Johannesburg", atTime(17, 0), monToFri, shortGap},
		{"SR", "XSAU", "Asia/Riyadh", atTime(15, 0), sunToThu, longGap},
		{"QA", "DSMD", "Asia/Qatar", atTime(13, 15), sunToThu, longGap},
	}
}

// indexSuffixes maps indices of such exchanges to the suffix of the shares traded there.
var indexSuffixes = map[string]string{
	"^IBEX": "MC", "^SSMI": "SW", "^ATX": "VI", "^OMX": "ST", "^OMXC25": "CO", "^OMXH25": "HE", "^MXX": "MX", "^BVSP": "SA", "^MERV": "BA", "^IPSA": "SN",
	"^TWII": "TW", "^KS11": "KS", "^KQ11": "KQ", "^STI": "SI", "^KLSE": "KL", "^JKSE": "JK", "^NSEI": "NS", "^BSESN": "BO", "^NZ50": "NZ",
}
