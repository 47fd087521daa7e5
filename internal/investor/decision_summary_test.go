package investor_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
)

func scoredDecision(right bool, edge, confidence float64) investor.DecisionScore {
	return investor.DecisionScore{Excess: &edge, Edge: &edge, Right: &right, Confidence: &confidence}
}

func TestSummarizeScores_AWorkedExample(t *testing.T) {
	got := investor.SummarizeScores([]investor.DecisionScore{
		scoredDecision(true, 0.10, 0.9), scoredDecision(true, 0.20, 0.8), scoredDecision(false, -0.05, 0.7), scoredDecision(true, 0.05, 0.5), scoredDecision(false, -0.10, 0.6),
		{Due: true}, {},
	})
	if got.Decisions != 7 || got.Judged != 5 || got.Right != 3 || got.WithConfidence != 5 || got.Due != 1 {
		t.Errorf("counts = %+v, want 7 decisions, 5 judged, 3 right, 5 with confidence, 1 due", got)
	}
	wantNear(t, "hit rate", got.HitRate, 0.6)
	wantNear(t, "mean edge", got.MeanEdge, 0.04) // 0.20 / 5
	// (0.01 + 0.04 + 0.49 + 0.25 + 0.36) / 5
	wantNear(t, "Brier score", got.Brier, 0.23)
}

func TestSummarizeScores_TooFewSayNothingButTheirCount(t *testing.T) {
	got := investor.SummarizeScores([]investor.DecisionScore{scoredDecision(true, 1, 1), scoredDecision(true, 1, 1), scoredDecision(true, 1, 1), scoredDecision(true, 1, 1)})
	if got.HitRate != nil || got.Interval != nil || got.MeanEdge != nil || got.Brier != nil || got.Judged != 4 {
		t.Errorf("Summarize of four = %+v, want the counts alone", got)
	}
}

// The first four are from Newcombe, Two-sided confidence intervals for the single proportion, Statistics in
// Medicine 17 (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29, with the four digits
// printed there.
func TestWilsonInterval_PublishedIntervals(t *testing.T) {
	for _, row := range []struct {
		hits, n   int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {0, 0, 0, 1},
	} {
		got := investor.WilsonInterval(row.hits, row.n)
		if round4(got.Low) != row.low || round4(got.High) != row.high {
			t.Errorf("Wilson(%d, %d) = %+v, want %v to %v", row.hits, row.n, got, row.low, row.high)
		}
	}
}

func round4(x float64) float64 { return float64(int(x*10000+0.5)) / 10000 }
