package valuation

import (
	"math"
	"slices"
)

// Spread is how a multiple is spread over comparable businesses.
type Spread struct {
	Count                           int
	Low, First, Median, Third, High float64 // quartiles with linear interpolation
	Mean                            float64
}

// SpreadOf orders values; without any it is the zero value. Source: quartiles as
// numpy and spreadsheets (PERCENTILE.INC) have them.
func SpreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	v := slices.Sorted(slices.Values(values))
	s := Spread{Count: len(v), Low: v[0], High: v[len(v)-1], First: quantile(v, 0.25), Median: quantile(v, 0.5), Third: quantile(v, 0.75)}
	for _, x := range v {
		s.Mean += x / float64(len(v))
	}
	return s
}

func quantile(sorted []float64, share float64) float64 {
	at := share * float64(len(sorted)-1)
	low := int(math.Floor(at))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// Outlies reports whether x lies more than three interquartile ranges outside of
// the middle half: Tukey's far out. Source: Tukey, Exploratory Data Analysis.
func (s Spread) Outlies(x float64) bool {
	reach := 3 * (s.Third - s.First)
	return x < s.First-reach || x > s.Third+reach
}
