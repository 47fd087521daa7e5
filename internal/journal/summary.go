package journal

import "math"

// Fewest is the number of scored decisions below which no rate or mean is given: it
// would be of chance alone.
const Fewest = 5

// Summary is what many scores come to. What too few decisions allow is nil; the
// counts are always given.
type Summary struct {
	Decisions int `json:"decisions"`
	// Judged are those that are right or wrong, and Right those that are right.
	Judged int `json:"judged"`
	Right  int `json:"right"`
	// HitRate is Right / Judged.
	HitRate *float64 `json:"hit_rate"`
	// Interval is where the rate behind it lies with a confidence of 95 %.
	Interval *Interval `json:"interval"`
	// MeanEdge is the mean of the edges of those judged, per decision and not a year:
	// they are of different lengths.
	MeanEdge *float64 `json:"mean_edge"`
	// Brier is the mean square of confidence less result (1 right, 0 wrong) of those
	// with both: 0 is perfect, 0.25 is what a confidence of one half always gets
	// (Brier 1950).
	Brier      *float64 `json:"brier"`
	Confidents int      `json:"confidents"`
	Due        int      `json:"due"`
}

// Interval is a span of a rate.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Summarize puts scores together.
func Summarize(scores []Score) Summary {
	sum := Summary{Decisions: len(scores)}
	var edges, squares float64
	for _, s := range scores {
		if s.Due {
			sum.Due++
		}
		if s.Right == nil || s.Edge == nil {
			continue
		}
		result := 0.0
		sum.Judged++
		edges += *s.Edge
		if *s.Right {
			sum.Right++
			result = 1
		}
		if s.Confidence != nil {
			sum.Confidents++
			squares += (*s.Confidence - result) * (*s.Confidence - result)
		}
	}
	if sum.Judged >= Fewest {
		sum.HitRate = number(float64(sum.Right) / float64(sum.Judged))
		interval := Wilson(sum.Right, sum.Judged)
		sum.Interval = &interval
		sum.MeanEdge = number(edges / float64(sum.Judged))
	}
	if sum.Confidents >= Fewest {
		sum.Brier = number(squares / float64(sum.Confidents))
	}
	return sum
}

// Wilson is the interval of Wilson (1927) at 95 % for a rate of hits in n trials:
//
//	(2 h + z² ± z √(z² + 4 h (1 - h/n))) / (2 (n + z²)), z = 1.959964
//
// Without trials it is from 0 to 1: nothing is known.
func Wilson(hits, n int) Interval {
	if n <= 0 {
		return Interval{Low: 0, High: 1}
	}
	const z = 1.959963984540054
	h, count := float64(hits), float64(n)
	middle := 2*h + z*z
	half := z * math.Sqrt(z*z+4*h*(1-h/count))
	below := 2 * (count + z*z)
	return Interval{Low: max(0, (middle-half)/below), High: min(1, (middle+half)/below)}
}
