package calendar

import (
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// year holds one bit for each day of a year, by its number from 1.
type year struct{ session, early dayset }

type dayset [6]uint64

func (s *dayset) put(d market.Date, in bool) {
	i := d.YearDay() - 1
	if in {
		s[i/64] |= 1 << (i % 64)
	} else {
		s[i/64] &^= 1 << (i % 64)
	}
}

func (s *dayset) has(d market.Date) bool {
	i := d.YearDay() - 1
	return s[i/64]&(1<<(i%64)) != 0
}

// of returns the year of d, and false for one that is not covered.
func (e *Exchange) of(d market.Date) (*year, bool) {
	y := d.Year()
	if y < firstYear || y > lastYear {
		return nil, false
	}
	kept := &e.years[y-firstYear]
	kept.once.Do(func() { kept.year = e.work(y) })
	return &kept.year, true
}

func (e *Exchange) work(y int) year {
	var out year
	for d := date(y, time.January, 1); d.Year() == y; d = d.AddDate(0, 0, 1) {
		out.session.put(d, !weekend(d))
	}
	for _, d := range e.closed(y) {
		// A holiday that moves may land in the year beside.
		if d.Year() == y {
			out.session.put(d, false)
		}
	}
	for _, d := range e.early(y) {
		if d.Year() == y && out.session.has(d) {
			out.early.put(d, true)
		}
	}
	return out
}
