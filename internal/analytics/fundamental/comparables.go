package fundamental

import (
	"math"
	"slices"
)

// Distribution is how a multiple is spread over comparable businesses.
type Distribution struct {
	Count                     int
	Low, Q1, Median, Q3, High float64 // quartiles with linear interpolation
	Mean                      float64
}

// NewDistribution orders values; without any it is the zero value. Source: quartiles as
// numpy and spreadsheets (PERCENTILE.INC) have them.
func NewDistribution(values []float64) Distribution {
	if len(values) == 0 {
		return Distribution{}
	}
	v := slices.Sorted(slices.Values(values))
	s := Distribution{Count: len(v), Low: v[0], High: v[len(v)-1], Q1: quantile(v, 0.25), Median: quantile(v, 0.5), Q3: quantile(v, 0.75)}
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

// IsOutlier reports whether x lies more than three interquartile ranges outside of
// the middle half: Tukey's far out. Source: Tukey, Exploratory Data Analysis.
func (s Distribution) IsOutlier(x float64) bool {
	reach := 3 * (s.Q3 - s.Q1)
	return x < s.Q1-reach || x > s.Q3+reach
}
