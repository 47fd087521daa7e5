package client

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// IsUSListed reports whether sym can be a share or a fund that is listed in the
// United States: a suffix of one letter is a class of share, unless it is London's,
// Tokyo's, Frankfurt's or Toronto's.
func IsUSListed(sym market.Symbol) bool {
	_, class, dotted := strings.Cut(string(sym), ".")
	return sym != "" && !strings.ContainsAny(string(sym), "^=-&") && (!dotted || len(class) == 1 && !strings.Contains("LTFV", class))
}

// NewShare is a listed share by a server's name for it, or else by its symbol.
func NewShare(sym market.Symbol, name string) market.Instrument {
	return market.Instrument{Symbol: sym, Name: cmp.Or(SingleLine(name, 200), string(sym)), Kind: "equity"}
}

// HyphenateClass is a symbol as many servers spell one, with a hyphen before the class of a
// share.
func HyphenateClass(sym market.Symbol) string { return strings.ReplaceAll(string(sym), ".", "-") }

// SameSymbol reports whether the response is for sym, with share classes after a dot or a hyphen.
func SameSymbol(answered string, sym market.Symbol) bool {
	return strings.EqualFold(strings.ReplaceAll(answered, ".", "-"), HyphenateClass(sym))
}

// NewYork is the time zone of US exchanges. Without a time zone database it is Eastern Standard
// Time, one hour off in summer.
func NewYork() *time.Location { return newYork() }

var newYork = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		return time.FixedZone("EST", -5*60*60)
	}
	return zone
})

// SessionDate is the session that an instant belongs to, by the day of its exchange.
func SessionDate(at time.Time, zone *time.Location) market.Date {
	y, m, d := at.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// NewYorkClose is when regular trading ends in New York, after midnight by the clock
// there. On a few days of a year it ends earlier.
const NewYorkClose = 16 * time.Hour

// BarUnsettled reports whether the bar of day may still change at now: where that day
// is not over in New York, and its clock has not reached settled after midnight.
func BarUnsettled(day market.Date, now time.Time, settled time.Duration) bool {
	local := now.In(NewYork())
	today := SessionDate(local, local.Location())
	clock := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute
	return day.After(today) || day.Equal(today) && clock < settled
}

// maxSessionGap is the longest time between two sessions, in days: a weekend with a
// holiday.
const maxSessionGap = 4

// MarkStale returns p, dated to a New York session, flagged stale if a later session has ended at
// now. In years outside the calendar, that is certain only for data older than the maximum distance
// of two sessions.
func MarkStale(p market.Provenance, session market.Date, now time.Time) market.Provenance {
	last := SessionDate(now, NewYork()).AddDate(0, 0, -maxSessionGap)
	if exchange, ok := reference.ExchangeByMIC("XNYS"); ok {
		if completed, err := exchange.LastCompleted(now); err == nil {
			last = completed.Date
		}
	}
	if session.Before(last) {
		return p.With(market.FlagStale)
	}
	return p
}
