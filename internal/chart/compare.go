package chart

import (
	"time"
)

// comparedSeries are the series of a comparison, each at 100 where it begins.
func (s Spec) comparedSeries() []Series {
	if s.Rebased {
		return orderSeries(s.Series)
	}
	return rebaseSeries(orderSeries(s.Series))
}

// rebaseSeries sets each series to 100 on the first day on which all of them have begun,
// or at its next value where it has none that day, and drops what came before. Series
// without a value above zero there cannot be compared and are left out.
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
		for at < n && (one.Times[at].Before(start) || !IsDrawable(one.Values[at])) {
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
