package treasury

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshPast  = 30 * 24 * time.Hour // a year that is over does not change
	staleYears = 30 * 24 * time.Hour
	// publishStart and closes bound the time of day at which the day's curve comes out.
	publishStart, publishEnd = 15, 18
	retryRelease             = 10 * time.Minute
	// correctionDays is how many days after its end a year may still be corrected.
	correctionDays = 10
)

// cacheAges is the age below which a year's file cannot lack a day, and how long after
// that it may stand in for a silent server. The files take the server many seconds.
func (s *Source) cacheAges(year int) (fresh, stale time.Duration) {
	now := s.o.Now().In(client.NewYork())
	if now.After(time.Date(year+1, time.January, correctionDays, 0, 0, 0, 0, now.Location())) {
		return freshPast, staleYears
	}
	today := func(hour int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	}
	if isWeekday(now) && !now.Before(today(publishStart)) && now.Before(today(publishEnd)) {
		return retryRelease, staleYears
	}
	last := today(publishEnd)
	for last.After(now) || !isWeekday(last) {
		last = last.AddDate(0, 0, -1)
	}
	return now.Sub(last), staleYears
}

func isWeekday(t time.Time) bool { return t.Weekday() != time.Saturday && t.Weekday() != time.Sunday }
