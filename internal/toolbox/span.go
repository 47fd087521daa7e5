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
	limit := market.Range{From: sp.from, To: today(d.Now())}
	if !sp.to.IsZero() && sp.to.Before(limit.To) {
		limit.To = sp.to
	}
	series, err := lookUp(ctx, d.Directory, text, func(sym market.Symbol) (market.Series, error) {
		s, err := d.Bars.Bars(ctx, sym, limit)
		// A source that knows no clamp must not show the future either.
		if s = s.Within(limit); err == nil && len(s.Bars) == 0 {
			err = market.ErrNoData
		}
		if errors.Is(err, market.ErrNoData) {
			return s, noBars(ctx, d, sym, limit)
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
	return fmt.Errorf("%w: there are bars from %s to %s", market.ErrNoData,
		dated(all.Bars[0].Date), dated(all.Bars[len(all.Bars)-1].Date))
}

// cut takes the span out of the series. A range counted back begins with the
// last close on or before its first day, since that is the price the day began
// with: ytd is measured from the last close of the year before.
func (sp span) cut(s market.Series) (market.Series, []string) {
	begin, end := s.Bars[0].Date, s.Bars[len(s.Bars)-1].Date
	anchor := sp.from
	if sp.back != "" && sp.back != "max" {
		anchor = sp.anchor(end)
		last := anchor
		if s.Interval == market.Monthly {
			// A monthly close stands for its month: a year back from a close of
			// June is the close of June, on whichever day either was.
			last = endOfMonth(anchor)
		}
		after := sort.Search(len(s.Bars), func(i int) bool { return s.Bars[i].Date.After(last) })
		s.Bars = s.Bars[max(after-1, 0):]
	}
	var warnings []string
	if !anchor.IsZero() && begin.Sub(anchor) > holiday(s.Interval) {
		warnings = append(warnings, fmt.Sprintf("the data begin on %s, later than the %s asked for", dated(begin), dated(anchor)))
	}
	if !sp.to.IsZero() && sp.to.Sub(end) > holiday(s.Interval) {
		warnings = append(warnings, fmt.Sprintf("the data end on %s, earlier than the %s asked for", dated(end), dated(sp.to)))
	}
	return s, warnings
}

// holiday is how far apart two bars may be without anything missing.
func holiday(i market.Interval) time.Duration {
	if i == market.Monthly {
		return 31 * 24 * time.Hour
	}
	return 7 * 24 * time.Hour
}

// anchor is the first day of a range counted back from end.
func (sp span) anchor(end market.Date) market.Date {
	if sp.back == "ytd" {
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
