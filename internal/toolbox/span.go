package toolbox

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// span is the stretch of sessions that a call asks for: a range counted back
// from the series' last close, or explicit ends.
type span struct {
	back         string // "6m", "ytd", "max"; "" with explicit ends
	months, days int    // what back counts

	from, to market.Date // zero where open
}

// errSpan marks arguments that do not make a span.
var errSpan = errors.New("not a range")

// parseSpan reads the range arguments; standard applies when none is given.
func parseSpan(back, from, to, standard string) (span, error) {
	back = strings.ToLower(strings.TrimSpace(back))
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if back != "" && (from != "" || to != "") {
		return span{}, fmt.Errorf("%w: give either range (%q) or from and to, not both", errSpan, back)
	}
	if back == "" && from == "" && to == "" {
		back = standard
	}
	if back != "" {
		return parseBack(back)
	}
	first, _, err := parseDate(from)
	if err != nil {
		return span{}, fmt.Errorf("from: %w", err)
	}
	_, last, err := parseDate(to)
	if err != nil {
		return span{}, fmt.Errorf("to: %w", err)
	}
	if !first.IsZero() && !last.IsZero() && first.After(last) {
		return span{}, fmt.Errorf("%w: from %s is after to %s; swap them", errSpan, from, to)
	}
	return span{from: first, to: last}, nil
}

func parseBack(back string) (span, error) {
	sp := span{back: back}
	switch back {
	case "ytd", "max":
		return sp, nil
	case "all":
		return span{back: "max"}, nil
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
		return span{}, fmt.Errorf("%w: %q; use 1m, 6m, 1y, 5y, 10y, ytd or max, or from and to", errSpan, back)
	}
	return sp, nil
}

// parseDate reads a day, a month or a year as the days it begins and ends with.
func parseDate(text string) (first, last market.Date, err error) {
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
		return time.Time{}, time.Time{}, fmt.Errorf("%w: %q is no date; write YYYY-MM-DD", errSpan, text)
	}
	return t, t, nil
}

// history fetches the bars of a span, none of them after now, and the warnings
// that belong to it.
func history(ctx context.Context, d Deps, text string, sp span) (market.Series, []string, error) {
	asked := market.Range{From: sp.from, To: today(d.Now())}
	if !sp.to.IsZero() && sp.to.Before(asked.To) {
		asked.To = sp.to
	}
	fetched := asked
	if !asked.From.IsZero() {
		// Two months reach the monthly close before the first day, whatever
		// sessions the months end with.
		fetched.From = asked.From.AddDate(0, -2, 0)
	}
	series, err := lookUp(ctx, d.Directory, text, func(sym market.Symbol) (market.Series, error) {
		s, err := d.Bars.Bars(ctx, sym, fetched)
		// A source that knows no clamp must not show the future either.
		if s = s.Within(fetched); err == nil && len(s.Within(asked).Bars) == 0 {
			err = market.ErrNoData
		}
		if errors.Is(err, market.ErrNoData) {
			return s, noBars(ctx, d, sym, asked)
		}
		return s, err
	})
	if err != nil {
		return market.Series{}, nil, fmt.Errorf("bars of %s: %w", text, err)
	}
	cut, warnings := sp.cut(series)
	return cut, warnings, nil
}

// noBars says what range would have had bars.
func noBars(ctx context.Context, d Deps, sym market.Symbol, asked market.Range) error {
	all, err := d.Bars.Bars(ctx, sym, market.Range{To: today(d.Now())})
	if err != nil {
		return err
	}
	all = all.Within(market.Range{To: today(d.Now())})
	if len(all.Bars) == 0 {
		return fmt.Errorf("%w: none until %s", market.ErrNoData, dated(asked.To))
	}
	next := sort.Search(len(all.Bars), func(i int) bool { return all.Bars[i].Date.After(asked.To) })
	if next == 0 || next == len(all.Bars) {
		return fmt.Errorf("%w: there are bars from %s to %s", market.ErrNoData,
			dated(all.Bars[0].Date), dated(all.Bars[len(all.Bars)-1].Date))
	}
	before, after := all.Bars[next-1], all.Bars[next]
	return fmt.Errorf("%w: no close %s; the series is %s, the closes around it are %s on %s and %s on %s (%s); ask from one of these days",
		market.ErrNoData, onOrBetween(asked), all.Interval, before.Close, dated(before.Date), after.Close, dated(after.Date), unitOf(all.Provenance))
}

func onOrBetween(r market.Range) string {
	if r.From.Equal(r.To) {
		return "on " + dated(r.To)
	}
	return fmt.Sprintf("from %s to %s", dated(r.From), dated(r.To))
}

// cut takes the span out of the series. It begins with the last close on or
// before its first day, since that is the price the day began with: ytd is
// measured from the last close of the year before, and a year of monthly closes
// would lose January without it. Only an explicit first day of a daily series is
// taken literally, and begins with the first session on or after it.
func (sp span) cut(s market.Series) (market.Series, []string) {
	end := s.Bars[len(s.Bars)-1].Date
	anchor := sp.anchor(end)
	switch {
	case anchor.IsZero():
	case sp.literal(s):
		s = s.Within(market.Range{From: anchor})
	default:
		after := sort.Search(len(s.Bars), func(i int) bool { return s.Bars[i].Date.After(anchor) })
		s.Bars = s.Bars[max(after-1, 0):]
	}
	var warnings []string
	begin, slack := s.Bars[0].Date, holiday(s.Interval)
	if s.Interval == market.Monthly {
		slack = 0 // without the close before it the first month is not measured
	}
	if !anchor.IsZero() && begin.Sub(anchor) > slack {
		warnings = append(warnings, fmt.Sprintf("the data begin on %s, later than the %s asked for", dated(begin), dated(anchor)))
	}
	if !sp.to.IsZero() && sp.to.Sub(end) > holiday(s.Interval) {
		warnings = append(warnings, fmt.Sprintf("the data end on %s, earlier than the %s asked for", dated(end), dated(sp.to)))
	}
	return s, warnings
}

// literal reports whether the span begins on its first day or later.
func (sp span) literal(s market.Series) bool { return sp.back == "" && s.Interval != market.Monthly }

// remark says what the span counted from, where that is not the day asked for: a
// relative range may end years ago, a monthly close lies before the month.
func (sp span) remark(s market.Series) string {
	first, last := s.Bars[0].Date, s.Bars[len(s.Bars)-1].Date
	switch {
	case sp.back == "max":
		return ""
	case sp.back != "":
		return fmt.Sprintf("range %s counts back from the last close, %s", sp.back, dated(last))
	case !sp.from.IsZero() && first.Before(sp.from):
		return fmt.Sprintf("it begins with the last %s close on or before %s, that of %s", s.Interval, dated(sp.from), dated(first))
	}
	return ""
}

// holiday is how far apart two bars may be without anything missing.
func holiday(i market.Interval) time.Duration {
	if i == market.Monthly {
		return 31 * 24 * time.Hour
	}
	return 7 * 24 * time.Hour
}

// anchor is the first day of the span, counted back from end where it is not
// given; zero where it is open.
func (sp span) anchor(end market.Date) market.Date {
	switch sp.back {
	case "", "max":
		return sp.from
	case "ytd":
		return time.Date(end.Year()-1, time.December, 31, 0, 0, 0, 0, time.UTC)
	}
	return monthsBefore(end, sp.months).AddDate(0, 0, -sp.days)
}

// monthsBefore stays within the month, where AddDate runs over: a month before
// March 31 is the end of February.
func monthsBefore(d market.Date, n int) market.Date {
	first := time.Date(d.Year(), d.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(d.Day(), endOfMonth(first).Day())-1)
}

func endOfMonth(d market.Date) market.Date {
	return time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC)
}
