package feed

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Maximum ages of quotes.
const (
	openQuoteFresh      = 15 * time.Second
	maxClosedQuoteFresh = time.Hour
)

// quoteFresh returns how long a quote stays fresh: seconds while its exchange is open; while it is closed,
// until it opens again, but at most an hour, because late prices are corrected.
func quoteFresh(sym market.Symbol, now time.Time) time.Duration {
	e, _ := reference.ExchangeOf(sym)
	if e == nil || e.Phase(now) != market.PhaseClosed {
		return openQuoteFresh
	}
	next, err := e.NextSession(now)
	if err != nil {
		return openQuoteFresh
	}
	return max(min(next.PreOpen.Sub(now), maxClosedQuoteFresh), openQuoteFresh)
}

// lastSession returns the last completed session of a symbol's exchange. If its holidays are unknown, it
// returns a day early enough that a session must have been completed since.
func lastSession(sym market.Symbol, now time.Time) (market.Date, bool) {
	e, _ := reference.ExchangeOf(sym)
	if e == nil {
		l, ok := reference.LocalClockOf(sym)
		if !ok {
			return market.Date{}, false
		}
		return l.SurelyTradedSince(now), true
	}
	last, err := e.LastCompleted(now)
	return last.Date, err == nil
}

// barsFresh reports whether bars are complete, which they are until the session after the last bar has
// settled. If holidays are unknown, that is the next possible trading day, and from then on bars are fresh
// for an hour. Instruments that trade around the clock have a new bar each day.
func barsFresh(series market.Series, now time.Time) bool {
	age := now.Sub(series.Provenance.FetchedAt)
	if series.Provenance.Has(market.FlagProvisional) || len(series.Bars) == 0 {
		return age < provisionalFresh
	}
	last := series.Bars[len(series.Bars)-1].Date
	e, _ := reference.ExchangeOf(series.Symbol)
	if e == nil {
		grown := last.AddDate(0, 0, 2)
		if l, ok := reference.LocalClockOf(series.Symbol); ok {
			grown = l.NextSettled(last)
		}
		return age < time.Hour || now.Before(grown)
	}
	day, err := e.Session(last)
	if err != nil {
		return age < time.Hour
	}
	next, err := e.NextSession(day.Close)
	return err == nil && now.Before(next.Settled())
}

// provisionalFresh is how long the price of the current session stays fresh enough for a chart.
const provisionalFresh = 15 * time.Minute
