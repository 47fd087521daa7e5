package investor

import "math"

// MinScores is the number of scored decisions below which no rate or mean is given: it
// would be of chance alone.
const MinScores = 5

// DecisionSummary is what many scores come to. What too few decisions allow is nil; the
// counts are always given.
type DecisionSummary struct {
	Decisions int `json:"decisions"`
	// Judged are those that are right or wrong, and Right those that are right.
	Judged int `json:"judged"`
	Right  int `json:"right"`
	// HitRate is Right / Judged.
	HitRate *float64 `json:"hit_rate"`
	// Interval is where the rate behind it lies with a confidence of 95 %.
	Interval *RateInterval `json:"interval"`
	// MeanEdge is the mean of the edges of those judged, per decision and not a year:
	// they are of different lengths.
	MeanEdge *float64 `json:"mean_edge"`
	// Brier is the mean square of confidence less result (1 right, 0 wrong) of those
	// with both: 0 is perfect, 0.25 is what a confidence of one half always gets
	// (Brier 1950).
	Brier          *float64 `json:"brier"`
	WithConfidence int      `json:"confidents"`
	Due            int      `json:"due"`
}

// RateInterval is a span of a rate.
type RateInterval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// SummarizeScores puts scores together.
func SummarizeScores(scores []DecisionScore) DecisionSummary {
	sum := DecisionSummary{Decisions: len(scores)}
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
			sum.WithConfidence++
			squares += (*s.Confidence - result) * (*s.Confidence - result)
		}
	}
	if sum.Judged >= MinScores {
		sum.HitRate = floatPtr(float64(sum.Right) / float64(sum.Judged))
		interval := WilsonInterval(sum.Right, sum.Judged)
		sum.Interval = &interval
		sum.MeanEdge = floatPtr(edges / float64(sum.Judged))
	}
	if sum.WithConfidence >= MinScores {
		sum.Brier = floatPtr(squares / float64(sum.WithConfidence))
	}
	return sum
}

// WilsonInterval is the interval of Wilson (1927) at 95 % for a rate of hits in n trials:
//
//	(2 h + z² ± z √(z² + 4 h (1 - h/n))) / (2 (n + z²)), z = 1.959964
//
// Without trials it is from 0 to 1: nothing is known.
func WilsonInterval(hits, n int) RateInterval {
	if n <= 0 {
		return RateInterval{Low: 0, High: 1}
	}
	const z = 1.959963984540054
	h, count := float64(hits), float64(n)
	middle := 2*h + z*z
	half := z * math.Sqrt(z*z+4*h*(1-h/count))
	below := 2 * (count + z*z)
	return RateInterval{Low: max(0, (middle-half)/below), High: min(1, (middle+half)/below)}
}
