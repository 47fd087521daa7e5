package client

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// IsUSListed reports whether sym can be a share or fund listed in the United States: it has no suffix, or a
// one-letter share class that is not the suffix of London, Tokyo, Frankfurt or Toronto.
func IsUSListed(sym market.Symbol) bool {
	_, class, dotted := strings.Cut(string(sym), ".")
	return sym != "" && !strings.ContainsAny(string(sym), "^=-&") && (!dotted || len(class) == 1 && !strings.Contains("LTFV", class))
}

// NewShare returns a listed share with the server's name for it, or else its symbol as the name.
func NewShare(sym market.Symbol, name string) market.Instrument {
	return market.Instrument{Symbol: sym, Name: cmp.Or(SingleLine(name, 200), string(sym)), Kind: "equity"}
}

// HyphenateClass returns a symbol as many servers write it, with a hyphen before the share class.
func HyphenateClass(sym market.Symbol) string { return strings.ReplaceAll(string(sym), ".", "-") }

// SameSymbol reports whether the response is for sym, with a dot or a hyphen before the share class.
func SameSymbol(answered string, sym market.Symbol) bool {
	return strings.EqualFold(strings.ReplaceAll(answered, ".", "-"), HyphenateClass(sym))
}

// NewYork returns the time zone of US exchanges. Without a time zone database it is Eastern Standard Time,
// one hour off in summer.
func NewYork() *time.Location { return newYork() }

var newYork = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		return time.FixedZone("EST", -5*60*60)
	}
	return zone
})

// SessionDate returns the session that an instant belongs to: the date in the exchange's time zone.
func SessionDate(at time.Time, zone *time.Location) market.Date {
	y, m, d := at.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// NewYorkClose is when regular trading ends in New York, as a local time since midnight. On a few days of the
// year it ends earlier.
const NewYorkClose = 16 * time.Hour

// BarUnsettled reports whether the bar of day may still change at now: day is today or later in New York, and
// the local time is before settled, a duration since midnight.
func BarUnsettled(day market.Date, now time.Time, settled time.Duration) bool {
	local := now.In(NewYork())
	today := SessionDate(local, local.Location())
	clock := time.Duration(local.Hour())*time.Hour + time.Duration(local.Minute())*time.Minute
	return day.After(today) || day.Equal(today) && clock < settled
}

// maxSessionGap is the longest time between two sessions, in days: a long weekend.
const maxSessionGap = 4

// MarkStale returns p, which is dated to a New York session, flagged stale if a later session has ended at
// now. In years outside the calendar, only data older than maxSessionGap is certainly stale.
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
