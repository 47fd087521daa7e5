package chart

import (
	"encoding/json"
	"math"
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
	if n == 0 || sorted && hasPrintableYear(s.Times[0]) && hasPrintableYear(s.Times[n-1]) {
		return s
	}
	var index []int
	for i, t := range s.Times {
		if hasPrintableYear(t) {
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
		if isDrawable(s.Values[i]) {
			return s.Values[i], i, true
		}
	}
	return 0, 0, false
}

// firstKnown returns the oldest known value and its index.
func firstKnown(s Series) (v float64, at int, ok bool) {
	for i := range min(len(s.Values), len(s.Times)) {
		if isDrawable(s.Values[i]) {
			return s.Values[i], i, true
		}
	}
	return 0, 0, false
}

// timeSeries returns the series to draw over time, sorted by time and without invalid values: the
// series, those of a comparison rebased to 100, a drawdown, or the percentiles of a fan.
func (s Spec) timeSeries() []Series {
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

// MarshalJSON writes numbers in their shortest form, and null for what is missing.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 8*len(v)+2)
	out = append(out, '[')
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			out = append(out, "null"...)
			continue
		}
		out = strconv.AppendFloat(out, x, 'g', -1, 64)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads what [Values.MarshalJSON] writes.
func (v *Values) UnmarshalJSON(data []byte) error {
	var numbers []*float64
	if err := json.Unmarshal(data, &numbers); err != nil {
		return err
	}
	if numbers == nil {
		*v = nil
		return nil
	}
	out := make(Values, len(numbers))
	for i, x := range numbers {
		out[i] = math.NaN()
		if x != nil {
			out[i] = *x
		}
	}
	*v = out
	return nil
}

// comparedSeries returns the series of a comparison, each rebased to 100 at its start.
func (s Spec) comparedSeries() []Series {
	if s.Rebased {
		return orderSeries(s.Series)
	}
	return rebaseSeries(orderSeries(s.Series))
}

// rebaseSeries sets each series to 100 on the first day on which all have started (or at its next
// value) and drops earlier values. Series without a positive value there cannot be compared and are
// dropped.
func rebaseSeries(series []Series) []Series {
	var start time.Time
	for _, one := range series {
		if _, at, ok := firstKnown(one); ok && one.Times[at].After(start) {
			start = one.Times[at]
		}
	}
	var out []Series
	for _, one := range series {
		n := min(len(one.Times), len(one.Values))
		at := 0
		for at < n && (one.Times[at].Before(start) || !isDrawable(one.Values[at])) {
			at++
		}
		if at == n || one.Values[at] < MinMagnitude {
			continue
		}
		based := Series{Name: one.Name, Missing: one.Missing, Times: one.Times[at:n], Values: make(Values, n-at)}
		for i := range based.Values {
			based.Values[i] = one.Values[at+i] / one.Values[at] * 100
		}
		out = append(out, based)
	}
	return out
}
