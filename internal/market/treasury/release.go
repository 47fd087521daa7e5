package treasury

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshPast  = 30 * 24 * time.Hour // a year that is over does not change
	staleYears = 30 * 24 * time.Hour
	// opens and closes bound the time of day at which the day's curve comes out.
	opens, closes = 15, 18
	retryRelease  = 10 * time.Minute
	// settled is how many days after its end a year may still be corrected.
	settled = 10
)

// fresh is the age below which a year's file cannot lack a day, and how long after
// that it may stand in for a silent server. The files take the server many seconds.
func (s *Source) fresh(year int) (fresh, stale time.Duration) {
	now := s.o.Now().In(wire.NewYork())
	if now.After(time.Date(year+1, time.January, settled, 0, 0, 0, 0, now.Location())) {
		return freshPast, staleYears
	}
	today := func(hour int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	}
	if workday(now) && !now.Before(today(opens)) && now.Before(today(closes)) {
		return retryRelease, staleYears
	}
	last := today(closes)
	for last.After(now) || !workday(last) {
		last = last.AddDate(0, 0, -1)
	}
	return now.Sub(last), staleYears
}

func workday(t time.Time) bool { return t.Weekday() != time.Saturday && t.Weekday() != time.Sunday }
