package client

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// maxSessionGap is the longest time between two sessions, in days: a weekend with a
// holiday.
const maxSessionGap = 4

// MarkStale returns p, which is of a session of New York, flagged stale where a later
// session was over at now. In years that the calendar does not cover that is known
// only of what is older than two sessions can lie apart.
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
