package chart

import (
	"slices"
	"strconv"
	"time"
)

func orderSeries(series []Series) []Series {
	out := make([]Series, 0, min(len(series), maxSeries))
	for _, one := range series[:min(len(series), maxSeries)] {
		out = append(out, orderByTime(one))
	}
	return out
}

// orderByTime returns s with as many times as values, sorted by time, without points whose date
// cannot be written.
func orderByTime(s Series) Series {
	n := min(len(s.Times), len(s.Values), maxPoints)
	s.Times, s.Values = s.Times[:n], s.Values[:n]
	sorted := slices.IsSortedFunc(s.Times, time.Time.Compare)
	if n == 0 || sorted && HasPrintableYear(s.Times[0]) && HasPrintableYear(s.Times[n-1]) {
		return s
	}
	var index []int
	for i, t := range s.Times {
		if HasPrintableYear(t) {
			index = append(index, i)
		}
	}
	slices.SortStableFunc(index, func(a, b int) int { return s.Times[a].Compare(s.Times[b]) })
	out := Series{Name: s.Name, Missing: s.Missing}
	for _, i := range index {
		out.Times, out.Values = append(out.Times, s.Times[i]), append(out.Values, s.Values[i])
	}
	return out
}

// Last returns the newest known value and its index.
func (s Series) Last() (v float64, at int, ok bool) {
	for i := min(len(s.Values), len(s.Times)) - 1; i >= 0; i-- {
		if IsDrawable(s.Values[i]) {
			return s.Values[i], i, true
		}
	}
	return 0, 0, false
}

// firstKnown returns the oldest known value and its index.
func firstKnown(s Series) (v float64, at int, ok bool) {
	for i := range min(len(s.Values), len(s.Times)) {
		if IsDrawable(s.Values[i]) {
			return s.Values[i], i, true
		}
	}
	return 0, 0, false
}

// TimeSeries returns the series to draw over time, each sorted by time and without values that
// cannot be drawn: the series, those of a comparison rebased to 100, a drawdown, or the
// percentiles of a fan.
func (s Spec) TimeSeries() []Series {
	switch s.Kind {
	case KindLine:
		return orderSeries(s.Series)
	case KindCompare:
		return s.comparedSeries()
	case KindDrawdown:
		return orderSeries(s.Series[:min(len(s.Series), 1)])
	case KindFan:
		bands := make([]Series, min(len(s.Fan.Percentiles), maxBands))
		for i := range bands {
			bands[i] = orderByTime(Series{Times: s.Fan.Times, Values: s.Fan.Percentiles[i].Values})
		}
		return bands
	}
	return nil
}

// Name returns the name of a percentile, such as "p95".
func (p Percentile) Name() string { return "p" + strconv.FormatFloat(p.Rank, 'g', 4, 64) }
