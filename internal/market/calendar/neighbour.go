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

// NextClose is the first close after t: of the session that is on, or of the next.
func (e *Exchange) NextClose(t time.Time) (time.Time, error) {
	s, err := e.seek("next close", e.DateOf(t), 1, func(s Session) bool { return s.Close.After(t) })
	return s.Close, err
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

// Sessions lists the days of r on which the exchange trades, oldest first. An open
// end of r is the end of what is known. An end outside 2000 to 2027 yields
// ErrNotCovered.
func (e *Exchange) Sessions(r market.Range) ([]market.Date, error) {
	var out []market.Date
	err := e.walk(r, func(d market.Date) { out = append(out, d) })
	return out, err
}

// Count is the number of sessions in r, which is read as by Sessions.
func (e *Exchange) Count(r market.Range) (int, error) {
	n := 0
	err := e.walk(r, func(market.Date) { n++ })
	return n, err
}

// walk calls visit with each session of r.
func (e *Exchange) walk(r market.Range, visit func(market.Date)) error {
	covered := Covered()
	if r.From.IsZero() {
		r.From = covered.From
	}
	if r.To.IsZero() {
		r.To = covered.To
	}
	from, to := day(r.From), day(r.To)
	for _, end := range []market.Date{from, to} {
		if _, ok := e.of(end); !ok {
			return e.notCovered(end)
		}
	}
	for d := from; !d.After(to); d = after(d, 1) {
		if y, _ := e.of(d); y.session.has(d) {
			visit(d)
		}
	}
	return nil
}
