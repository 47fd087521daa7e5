package analytics

import (
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Errors of alignment.
var (
	// ErrNoOverlap means that there is no date on which all series have a close.
	ErrNoOverlap = errors.New("no common dates")
	// ErrUnaligned means that series have different intervals or numbers of observations.
	ErrUnaligned = errors.New("not aligned")
)

// monthSlack is the maximum distance between the last sessions of a month on different exchanges.
// If they are further apart, the month has not ended in one series.
const monthSlack = 5 * 24 * time.Hour

// Align keeps the bars that all series have in common, so that the i-th bars belong together. Daily
// bars match by date. Monthly bars match by month if their dates are at most five days apart; each
// keeps its own date. Nothing is filled in: a price carried over a holiday would create a return of
// zero, followed by one of two days.
//
// Series of different intervals are ErrUnaligned; without a common bar the error is ErrNoOverlap. The bars
// must be in order of date.
func Align(series ...market.Series) ([]market.Series, error) {
	if len(series) == 0 {
		return nil, nil
	}
	at := make([]map[int64]int, len(series))
	for i, s := range series {
		if s.Interval != series[0].Interval {
			return nil, fmt.Errorf("%s closes of %s and %s closes of %s: %w", s.Interval, s.Symbol, series[0].Interval, series[0].Symbol, ErrUnaligned)
		}
		at[i] = make(map[int64]int, len(s.Bars))
		for j, bar := range s.Bars {
			at[i][slotKey(bar.Date, s.Interval)] = j
		}
	}
	out := make([]market.Series, len(series))
	for i, s := range series {
		out[i] = s
		out[i].Bars = nil
	}
	for _, bar := range series[0].Bars {
		row := commonBars(series, at, slotKey(bar.Date, series[0].Interval))
		for i, b := range row {
			out[i].Bars = append(out[i].Bars, b)
		}
	}
	if len(out[0].Bars) == 0 {
		return nil, ErrNoOverlap
	}
	return out, nil
}

// slotKey returns the same key for bars that belong together.
func slotKey(d time.Time, i market.Interval) int64 {
	if i == market.Monthly {
		return int64(d.Year())*12 + int64(d.Month())
	}
	return d.Unix()
}

// commonBars returns the bar of each series in a slot, or nothing if a series has none there or its
// date is too far from the others.
func commonBars(series []market.Series, at []map[int64]int, slot int64) []market.Bar {
	row := make([]market.Bar, len(series))
	var first, last time.Time
	for i, s := range series {
		j, ok := at[i][slot]
		if !ok {
			return nil
		}
		row[i] = s.Bars[j]
		if i == 0 || row[i].Date.Before(first) {
			first = row[i].Date
		}
		if row[i].Date.After(last) {
			last = row[i].Date
		}
	}
	if last.Sub(first) > monthSlack {
		return nil
	}
	return row
}
