package toolkit

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
)

// Period is the requested period: a range that counts back from the last close of a series, or
// explicit start and end dates.
type Period struct {
	back         string // "6m", "ytd", "max"; "" with explicit ends
	months, days int    // back as a length
	lead         int    // extra days before the start
	calendar     bool   // a year, quarter, month or ytd: starts from the last close before its first day

	From, To market.Date // first and last day, zero if open
}

// ErrPeriod marks arguments that are not a valid period.
var ErrPeriod = InvalidArgs(errors.New("invalid period"))

// Since returns the period from a day on. Its first close is on this day or later.
func Since(day market.Date) Period { return Period{From: day} }

// ParsePeriod parses the arguments range, from and to. back is 5d, 2w, 6m, 1y, ytd, max or all; from
// and to are a day, a month, a quarter or a year. A from that is the first day of a month, named so or
// not, starts a calendar period, unless to is the same day. defaultRange applies if all three are
// empty. Invalid text yields an ErrPeriod that names the valid forms.
func ParsePeriod(back, from, to, defaultRange string) (Period, error) {
	back = strings.ToLower(strings.TrimSpace(back))
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if back != "" && (from != "" || to != "") {
		return Period{}, fmt.Errorf("%w: use either range (%q) or from and to, not both", ErrPeriod, back)
	}
	if back == "" && from == "" && to == "" {
		back = defaultRange
	}
	if back != "" {
		return parseBack(back)
	}
	first, _, err := ParseDate(from)
	if err != nil {
		return Period{}, fmt.Errorf("from: %w", err)
	}
	_, last, err := ParseDate(to)
	if err != nil {
		return Period{}, fmt.Errorf("to: %w", err)
	}
	if !first.IsZero() && !last.IsZero() && first.After(last) {
		return Period{}, fmt.Errorf("%w: from %s is after to %s; swap them", ErrPeriod, from, to)
	}
	return Period{From: first, To: last, calendar: first.Day() == 1 && !first.IsZero() && !first.Equal(last)}, nil
}

func parseBack(back string) (Period, error) {
	sp := Period{back: back}
	switch back {
	case "max":
		return sp, nil
	case "ytd":
		sp.calendar = true
		return sp, nil
	case "all":
		return Period{back: "max"}, nil
	}
	unit := strings.TrimLeft(back, "0123456789")
	n, err := strconv.Atoi(strings.TrimSuffix(back, unit))
	switch unit {
	case "d":
		sp.days = n
	case "w":
		sp.days = 7 * n
	case "m", "mo":
		sp.months = n
	case "y":
		sp.months = 12 * n
	default:
		n = 0
	}
	const centuries = 9999 // longer than any series, and safe to multiply
	if err != nil || n < 1 || n > centuries {
		return Period{}, fmt.Errorf("%w: range %q; use 1m, 6m, 1y, 5y, 10y, ytd or max, or from and to", ErrPeriod, back)
	}
	return sp, nil
}

// MonthsBack returns the range of the last n months.
func MonthsBack(n int) Period { return Period{back: fmt.Sprintf("%dm", n), months: n} }

var quarterPattern = lazyregexp.New(`^(\d{4})-?[Qq]([1-4])$`)

// ParseDate returns the first and last day of a day, a month, a quarter (2008-Q1) or a year. Both are
// zero for no text; invalid text yields an ErrPeriod.
func ParseDate(text string) (first, last market.Date, err error) {
	if text == "" {
		return time.Time{}, time.Time{}, nil
	}
	for _, form := range []struct {
		layout        string
		years, months int
	}{{"2006", 1, 0}, {"2006-01", 0, 1}} {
		if t, err := time.Parse(form.layout, text); err == nil {
			return t, t.AddDate(form.years, form.months, -1), nil
		}
	}
	if m := quarterPattern().FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		quarter, _ := strconv.Atoi(m[2])
		first = time.Date(year, time.Month(3*quarter-2), 1, 0, 0, 0, 0, time.UTC)
		return first, first.AddDate(0, 3, -1), nil
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, time.Time{}, fmt.Errorf("%w: %q is not a date; use YYYY-MM-DD", ErrPeriod, text)
	}
	return t, t, nil
}

// Cut cuts a series, which must have a bar, to the period and warns if the data do not cover it. The
// result starts with the close that the period is measured from: for a calendar period the last one
// before its first day, so that a year includes its first session, otherwise the last one on or
// before the first day. Only an explicit first day of a daily series is literal: it starts with the
// first session on or after that day. Prices of several symbols have no Symbol.
func (sp Period) Cut(s market.Series) (market.Series, []string) {
	end := s.Bars[len(s.Bars)-1].Session()
	base := sp.baseDay(end)
	switch {
	case base.IsZero():
	case sp.back == "" && !sp.calendar && s.Interval != market.Monthly: // starts on the first day or later
		s = s.Within(market.Range{From: base})
	default:
		after := sort.Search(len(s.Bars), func(i int) bool { return s.Bars[i].Session().After(base) })
		s.Bars = s.Bars[max(after-1, 0):]
	}
	missing := "these symbols have no common prices"
	if s.Symbol != "" {
		missing = string(s.Symbol) + " has no prices"
	}
	var warnings []string
	begin, slack := s.Bars[0].Session(), MaxBarGap(s.Interval)
	if sp.calendar || s.Interval == market.Monthly {
		slack = 0 // without the previous close, the first session or month has no return
	}
	if !base.IsZero() && begin.Sub(base) > slack {
		warnings = append(warnings, fmt.Sprintf("%s before %s; shown from there", missing, FormatDate(begin)))
	}
	if !sp.To.IsZero() && sp.To.Sub(end) > MaxBarGap(s.Interval) {
		warnings = append(warnings, fmt.Sprintf("%s after %s; shown up to there", missing, FormatDate(end)))
	}
	return s, warnings
}

// StartsBefore reports whether the first close of s, a result of Cut, is before a calendar period:
// the period is measured from it, but does not include it.
func (sp Period) StartsBefore(s market.Series) bool {
	return sp.calendar && !s.Bars[0].Session().After(sp.baseDay(s.Bars[len(s.Bars)-1].Session()))
}

// StartNote states where the period starts or ends in s, a result of Cut, if that is not obvious: a
// relative range may end years ago, and the first close may be before the first day. Otherwise it
// returns "".
func (sp Period) StartNote(s market.Series) string {
	first, last := s.Bars[0].Session(), s.Bars[len(s.Bars)-1].Session()
	base := fmt.Sprintf("the last %s close before %s: %s", s.Interval, FormatDate(sp.baseDay(last).AddDate(0, 0, 1)), FormatDate(first))
	switch {
	case sp.back == "max":
		return ""
	case sp.back != "":
		note := fmt.Sprintf("range %s counts back from the last close, %s", sp.back, FormatDate(last))
		if sp.StartsBefore(s) {
			note += ", to " + base
		}
		return note
	case sp.StartsBefore(s):
		return "starts from " + base
	case !sp.From.IsZero() && first.Before(sp.From):
		return fmt.Sprintf("starts from the last %s close on or before %s: %s", s.Interval, FormatDate(sp.From), FormatDate(first))
	}
	return ""
}

// MaxBarGap returns the longest gap between two bars that is not missing data.
func MaxBarGap(i market.Interval) time.Duration {
	if i == market.Monthly {
		return 31 * 24 * time.Hour
	}
	return 7 * 24 * time.Hour
}

// baseDay returns the day whose close the period is measured from, which is the day before a calendar
// period; for a range it is counted back from end. It is zero if the start is open.
func (sp Period) baseDay(end market.Date) market.Date {
	switch sp.back {
	case "", "max":
		if sp.calendar {
			return sp.From.AddDate(0, 0, -1)
		}
		return sp.From
	case "ytd":
		return time.Date(end.Year()-1, time.December, 31-sp.lead, 0, 0, 0, 0, time.UTC)
	}
	return monthsBefore(end, sp.months).AddDate(0, 0, -sp.days-sp.lead)
}

// WithLead returns the period extended back by days, for data needed before its start. An open start
// stays open.
func (sp Period) WithLead(days int) Period {
	if !sp.From.IsZero() {
		sp.From = sp.From.AddDate(0, 0, -days)
	}
	sp.lead += days
	return sp
}

// EndingOn returns sp with explicit dates, from the day whose close it is measured from, for data that
// end on this day.
func (sp Period) EndingOn(end market.Date) Period { return Period{From: sp.baseDay(end), To: end} }

// monthsBefore returns d minus n months. A month before March 31 is the end of February, where
// AddDate would overflow into March.
func monthsBefore(d market.Date, n int) market.Date {
	first := time.Date(d.Year(), d.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(d.Day(), first.AddDate(0, 1, -1).Day())-1)
}
