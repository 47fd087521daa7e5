package edgar

import (
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// day counts days since 1970-01-01; documents hold tens of thousands of dates.
type day int32

// noDay is before all others: the start of an instant, which has none.
const noDay day = -1 << 31

const secondsPerDay = 24 * 60 * 60

func dayOf(d market.Date) day { return day(d.Unix() / secondsPerDay) }

func (d day) date() market.Date {
	if d == noDay {
		return market.Date{}
	}
	return time.Unix(int64(d)*secondsPerDay, 0).UTC()
}

func (d day) String() string { return d.date().Format(time.DateOnly) }

// parseDay reads "2024-09-28".
func parseDay(text string) (day, error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil || at.Year() < 1900 {
		return 0, fmt.Errorf("%.20q is no date", text)
	}
	return dayOf(at), nil
}

// periodClass is how long what a figure is about lasts.
type periodClass int

const (
	periodOther periodClass = iota // of no fiscal period
	periodInstant
	periodQuarter
	periodHalfYear
	periodNineMonths // months
	periodYear
)

func (c periodClass) String() string {
	return [...]string{"other", "instant", "Q", "H1", "9M", "FY"}[c]
}

// periodClassOf tells periods apart by their days. Quarters have 12 to 16 weeks where
// companies count weeks (Costco, Kroger), so the bounds are wider than three
// months need; they do not come near each other.
func periodClassOf(start, end day) periodClass {
	if start == noDay {
		return periodInstant
	}
	switch days := end - start + 1; {
	case days >= 80 && days <= 120:
		return periodQuarter
	case days >= 160 && days <= 200:
		return periodHalfYear
	case days >= 245 && days <= 290:
		return periodNineMonths
	case days >= 350 && days <= 380:
		return periodYear
	}
	return periodOther
}

func withinDays(a, b, days day) bool { return a-b <= days && b-a <= days }
