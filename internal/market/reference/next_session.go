package reference

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// NextSession is the first session that opens after t. Past 2027 it yields
// ErrYearNotCovered, as do its neighbours here: an end of what is known is no answer.
func (e *Exchange) NextSession(t time.Time) (Session, error) {
	return e.findSession("next session", e.DateOf(t), 1, func(s Session) bool { return s.Open.After(t) })
}

// LastCompleted is the newest session whose close is not after t. A price that is
// older than it is stale. Its bar may be provisional still: see Session.Settled.
func (e *Exchange) LastCompleted(t time.Time) (Session, error) {
	return e.findSession("last completed session", e.DateOf(t), -1, func(s Session) bool { return !s.Close.After(t) })
}

// PreviousSession is the newest session of a day before d.
func (e *Exchange) PreviousSession(d market.Date) (Session, error) {
	return e.findSession("previous session", addDays(dateOf(d), -1), -1, func(Session) bool { return true })
}

// findSession goes from a day in steps of days to the first session that fits.
func (e *Exchange) findSession(what string, from market.Date, step int, matches func(Session) bool) (Session, error) {
	for d := from; ; d = addDays(d, step) {
		y, ok := e.yearOf(d)
		if !ok {
			return Session{}, fmt.Errorf("%s: %w", what, e.yearNotCovered(d))
		}
		if !y.session.has(d) {
			continue
		}
		if s := e.session(d, y.early.has(d)); matches(s) {
			return s, nil
		}
	}
}
