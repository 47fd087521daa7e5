package reference

import (
	"errors"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Covered returns the range of days that the calendars cover.
func Covered() market.Range {
	return market.Range{From: date(firstYear, time.January, 1), To: date(lastYear, time.December, 31)}
}

// Sessions lists the days of r on which the exchange trades, oldest first. An open end of r is the end of the
// calendar. An end outside 2000 to 2027 yields ErrYearNotCovered.
func (e *Exchange) Sessions(r market.Range) ([]market.Date, error) {
	var out []market.Date
	err := e.walk(r, func(d market.Date) { out = append(out, d) })
	return out, err
}

// Count returns the number of sessions in r, which is interpreted as by Sessions.
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
	from, to := dateOf(r.From), dateOf(r.To)
	for _, end := range []market.Date{from, to} {
		if _, err := e.IsSession(end); err != nil {
			return err
		}
	}
	for d := from; !d.After(to); d = addDays(d, 1) {
		switch open, err := e.IsSession(d); {
		case err != nil:
			return err
		case open:
			visit(d)
		}
	}
	return nil
}

// IsSession reports whether the exchange trades on a day, even if only briefly. The time of day of d does not
// matter. A day outside 2000 to 2027 yields ErrYearNotCovered.
func (e *Exchange) IsSession(d market.Date) (bool, error) {
	_, err := e.Session(d)
	if errors.Is(err, ErrNoSession) {
		return false, nil
	}
	return err == nil, err
}
