package reference

import (
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// settlementDelay is how long after the close a daily bar may still change: until then, closing auctions end
// and late trades are reported.
const settlementDelay = 20 * time.Minute

// Session is one trading day. Its times are in the exchange's time zone.
type Session struct {
	Date        market.Date
	Open, Close time.Time
	Breaks      []Break // the midday pause of Tokyo and Hong Kong; most have none
	HalfDay     bool    // it closes early
	// PreOpen and PostClose are the start of pre-market and the end of after-hours trading. They are zero if
	// there is none or its hours are unknown.
	PreOpen, PostClose time.Time
}

// Break is a pause within a session.
type Break struct{ From, To time.Time }

// Settled returns when the bar of the session is no longer provisional.
func (s Session) Settled() time.Time { return s.Close.Add(settlementDelay) }

// tradingHours are the times of sessions from a day on. Zero lunch, pre or post times mean none.
type tradingHours struct {
	since              market.Date
	open, close        clockTime
	earlyClose         clockTime // of a half day
	lunchFrom, lunchTo clockTime
	preOpen, postClose clockTime
	earlyPostClose     clockTime // of a half day
}

// clockTime is a time of day in minutes after midnight.
type clockTime int

func atTime(hour, minute int) clockTime { return clockTime(60*hour + minute) }

func (c clockTime) onDate(d market.Date, zone *time.Location) time.Time {
	if c == 0 {
		return time.Time{}
	}
	return time.Date(d.Year(), d.Month(), d.Day(), int(c)/60, int(c)%60, 0, 0, zone)
}

// Session returns the session of one day. A day without one yields ErrNoSession, a day outside 2000 to 2027
// ErrYearNotCovered.
func (e *Exchange) Session(d market.Date) (Session, error) {
	d = dateOf(d)
	if d.Year() < firstYear || d.Year() > lastYear {
		return Session{}, fmt.Errorf("%s on %s: %w", e.mic, d.Format(time.DateOnly), ErrYearNotCovered)
	}
	if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday || e.closed[d] {
		return Session{}, fmt.Errorf("%s on %s: %w", e.mic, d.Format("Monday 2006-01-02"), ErrNoSession)
	}
	var h tradingHours
	for _, period := range e.hours {
		if !d.Before(period.since) {
			h = period
		}
	}
	half := e.halfDays[d]
	if half {
		h.close, h.postClose = h.earlyClose, h.earlyPostClose
	}
	s := Session{
		Date: d, HalfDay: half,
		Open: h.open.onDate(d, e.zone), Close: h.close.onDate(d, e.zone),
		PreOpen: h.preOpen.onDate(d, e.zone), PostClose: h.postClose.onDate(d, e.zone),
	}
	if h.lunchFrom != 0 && h.lunchFrom < h.close {
		s.Breaks = []Break{{From: h.lunchFrom.onDate(d, e.zone), To: h.lunchTo.onDate(d, e.zone)}}
	}
	return s, nil
}

// Phase returns the phase of the session at t, or closed. It is market.PhaseUnknown outside 2000 to
// 2027.
func (e *Exchange) Phase(t time.Time) market.Phase {
	s, err := e.Session(e.DateOf(t))
	switch {
	case errors.Is(err, ErrYearNotCovered):
		return market.PhaseUnknown
	case err != nil:
		return market.PhaseClosed
	}
	return s.phase(t)
}

// phase returns the phase at t. A phase includes its start but not its end.
func (s Session) phase(t time.Time) market.Phase {
	switch {
	case t.Before(s.Open):
		if !s.PreOpen.IsZero() && !t.Before(s.PreOpen) {
			return market.PhasePre
		}
		return market.PhaseClosed
	case !t.Before(s.Close):
		if t.Before(s.PostClose) {
			return market.PhasePost
		}
		return market.PhaseClosed
	}
	for _, b := range s.Breaks {
		if !t.Before(b.From) && t.Before(b.To) {
			return market.PhaseBreak
		}
	}
	return market.PhaseRegular
}
