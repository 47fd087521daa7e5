package calendar

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// NextSession is the first session that opens after t. Past 2027 it yields
// ErrNotCovered, as do its neighbours here: an end of what is known is no answer.
func (e *Exchange) NextSession(t time.Time) (Session, error) {
	return e.seek("next session", e.DateOf(t), 1, func(s Session) bool { return s.Open.After(t) })
}

// LastCompleted is the newest session whose close is not after t. A price that is
// older than it is stale. Its bar may be provisional still: see Session.Settled.
func (e *Exchange) LastCompleted(t time.Time) (Session, error) {
	return e.seek("last completed session", e.DateOf(t), -1, func(s Session) bool { return !s.Close.After(t) })
}

// PreviousSession is the newest session of a day before d.
func (e *Exchange) PreviousSession(d market.Date) (Session, error) {
	return e.seek("previous session", after(day(d), -1), -1, func(Session) bool { return true })
}

// seek goes from a day in steps of days to the first session that fits.
func (e *Exchange) seek(what string, from market.Date, step int, fits func(Session) bool) (Session, error) {
	for d := from; ; d = after(d, step) {
		y, ok := e.of(d)
		if !ok {
			return Session{}, fmt.Errorf("%s: %w", what, e.notCovered(d))
		}
		if !y.session.has(d) {
			continue
		}
		if s := e.session(d, y.early.has(d)); fits(s) {
			return s, nil
		}
	}
}
