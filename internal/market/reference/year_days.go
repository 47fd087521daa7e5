package reference

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// yearDays holds one bit for each day of a year, by its number from 1.
type yearDays struct{ session, early daySet }

type daySet [6]uint64

func (s *daySet) put(d market.Date, in bool) {
	i := d.YearDay() - 1
	if in {
		s[i/64] |= 1 << (i % 64)
	} else {
		s[i/64] &^= 1 << (i % 64)
	}
}

func (s *daySet) has(d market.Date) bool {
	i := d.YearDay() - 1
	return s[i/64]&(1<<(i%64)) != 0
}

// yearOf returns the year of d, and false for one that is not covered.
func (e *Exchange) yearOf(d market.Date) (*yearDays, bool) {
	y := d.Year()
	if y < firstYear || y > lastYear {
		return nil, false
	}
	cached := &e.years[y-firstYear]
	cached.once.Do(func() { cached.yearDays = e.computeYear(y) })
	return &cached.yearDays, true
}

func (e *Exchange) computeYear(y int) yearDays {
	var out yearDays
	for d := date(y, time.January, 1); d.Year() == y; d = d.AddDate(0, 0, 1) {
		out.session.put(d, !isWeekend(d))
	}
	for _, d := range e.holidays(y) {
		// A holiday that moves may land in the year beside.
		if d.Year() == y {
			out.session.put(d, false)
		}
	}
	for _, d := range e.halfDays(y) {
		if d.Year() == y && out.session.has(d) {
			out.early.put(d, true)
		}
	}
	return out
}
