package toolkit

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Period is a stretch of sessions that a call asks for: a range counted back
// from the series' last close, or explicit ends.
type Period struct {
	back         string // "6m", "ytd", "max"; "" with explicit ends
	months, days int    // what back counts
	lead         int    // days before that

	From, To market.Date // zero where open
}

// ErrPeriod marks arguments that do not make a span.
var ErrPeriod = InvalidArgs(errors.New("not a range"))

// ParsePeriod reads the arguments range, from and to of a call; standard is the range
// when none is given. back is 5d, 2w, 6m, 1y, ytd, max or all; from and to are a
// day, a month or a year. What cannot be read yields an ErrPeriod that says what can.
func ParsePeriod(back, from, to, defaultRange string) (Period, error) {
	back = strings.ToLower(strings.TrimSpace(back))
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if back != "" && (from != "" || to != "") {
		return Period{}, fmt.Errorf("%w: give either range (%q) or from and to, not both", ErrPeriod, back)
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
	return Period{From: first, To: last}, nil
}

func parseBack(back string) (Period, error) {
	sp := Period{back: back}
	switch back {
	case "ytd", "max":
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
	const centuries = 9999 // beyond any series, and safe to multiply
	if err != nil || n < 1 || n > centuries {
		return Period{}, fmt.Errorf("%w: %q; use 1m, 6m, 1y, 5y, 10y, ytd or max, or from and to", ErrPeriod, back)
	}
	return sp, nil
}

// ParseDate reads a day, a month or a year as the days it begins and ends with.
// Both are zero for no text; what is no date yields an ErrPeriod.
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
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, time.Time{}, fmt.Errorf("%w: %q is no date; write YYYY-MM-DD", ErrPeriod, text)
	}
	return t, t, nil
}

// Cut takes the span out of a series, which must have a bar, and gives warnings
// where the data do not reach its ends. It begins with the last close on or
// before its first day, since that is the price the day began with: ytd is
// measured from the last close of the year before, and a year of monthly closes
// would lose January without it. Only an explicit first day of a daily series is
// taken literally, and begins with the first session on or after it.
func (sp Period) Cut(s market.Series) (market.Series, []string) {
	end := s.Bars[len(s.Bars)-1].Date
	anchor := sp.firstDay(end)
	switch {
	case anchor.IsZero():
	case sp.startsOnFirstDay(s):
		s = s.Within(market.Range{From: anchor})
	default:
		after := sort.Search(len(s.Bars), func(i int) bool { return s.Bars[i].Date.After(anchor) })
		s.Bars = s.Bars[max(after-1, 0):]
	}
	var warnings []string
	begin, slack := s.Bars[0].Date, MaxBarGap(s.Interval)
	if s.Interval == market.Monthly {
		slack = 0 // without the close before it the first month is not measured
	}
	if !anchor.IsZero() && begin.Sub(anchor) > slack {
		warnings = append(warnings, fmt.Sprintf("the data begin on %s, later than the %s asked for", FormatDate(begin), FormatDate(anchor)))
	}
	if !sp.To.IsZero() && sp.To.Sub(end) > MaxBarGap(s.Interval) {
		warnings = append(warnings, fmt.Sprintf("the data end on %s, earlier than the %s asked for", FormatDate(end), FormatDate(sp.To)))
	}
	return s, warnings
}

// startsOnFirstDay reports whether the span begins on its first day or later.
func (sp Period) startsOnFirstDay(s market.Series) bool {
	return sp.back == "" && s.Interval != market.Monthly
}

// StartNote says what the span counted from in s, as Cut gives it, where that is not
// the day asked for: a relative range may end years ago, a monthly close lies
// before the month. Else it is "".
func (sp Period) StartNote(s market.Series) string {
	first, last := s.Bars[0].Date, s.Bars[len(s.Bars)-1].Date
	switch {
	case sp.back == "max":
		return ""
	case sp.back != "":
		return fmt.Sprintf("range %s counts back from the last close, %s", sp.back, FormatDate(last))
	case !sp.From.IsZero() && first.Before(sp.From):
		return fmt.Sprintf("it begins with the last %s close on or before %s, that of %s", s.Interval, FormatDate(sp.From), FormatDate(first))
	}
	return ""
}

// MaxBarGap is how far apart two bars may be without anything missing.
func MaxBarGap(i market.Interval) time.Duration {
	if i == market.Monthly {
		return 31 * 24 * time.Hour
	}
	return 7 * 24 * time.Hour
}

// firstDay is the first day of the span, counted back from end where it is not
// given; zero where it is open.
func (sp Period) firstDay(end market.Date) market.Date {
	switch sp.back {
	case "", "max":
		return sp.From
	case "ytd":
		return time.Date(end.Year()-1, time.December, 31-sp.lead, 0, 0, 0, 0, time.UTC)
	}
	return monthsBefore(end, sp.months).AddDate(0, 0, -sp.days-sp.lead)
}

// WithLead is the span with so many days before it, for what has to be known when it
// begins. One that is open at its begin stays so.
func (sp Period) WithLead(days int) Period {
	if !sp.From.IsZero() {
		sp.From = sp.From.AddDate(0, 0, -days)
	}
	sp.lead += days
	return sp
}

// EndingOn is the span with explicit ends that sp means where the data end on a day.
func (sp Period) EndingOn(end market.Date) Period { return Period{From: sp.firstDay(end), To: end} }

// monthsBefore stays within the month, where AddDate runs over: a month before
// March 31 is the end of February.
func monthsBefore(d market.Date, n int) market.Date {
	first := time.Date(d.Year(), d.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(d.Day(), endOfMonth(first).Day())-1)
}

func endOfMonth(d market.Date) market.Date {
	return time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC)
}
