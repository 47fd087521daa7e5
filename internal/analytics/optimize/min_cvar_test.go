package optimize_test

import (
	"errors"
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// lossOf returns the conditional value at risk as a loss.
func lossOf(t *testing.T, returns []float64, confidence float64) float64 {
	t.Helper()
	v, err := analytics.ConditionalValueAtRisk(returns, confidence)
	if err != nil {
		t.Fatal(err)
	}
	return -v
}

func TestMinCVaR_BeatsEveryPortfolioOfAFineGrid(t *testing.T) {
	for seed := range uint64(12) {
		r := seededRand(seed)
		s := sampleOf(t, randomReturns(r, 20+r.IntN(30), 3), 252)
		l := optimize.LongOnly(3)
		l.Upper[0] = 0.5
		confidence := 0.8 + 0.15*r.Float64()
		weights, least, err := optimize.MinCVaR(s, confidence, l)
		if err != nil {
			t.Fatal(err)
		}
		wantWithinLimits(t, "MinCVaR", weights, l)
		const steps = 150
		best := math.Inf(1)
		for i := range steps/2 + 1 {
			for j := range steps - i + 1 {
				a, b := float64(i)/steps, float64(j)/steps
				best = min(best, lossOf(t, s.PortfolioReturns([]float64{a, b, 1 - a - b}), confidence))
			}
		}
		// A step of the grid changes the loss by at most its largest return.
		if least > best+1e-12 || least < best-0.05/steps {
			t.Errorf("seed %d: least CVaR %.8g, on the grid %.8g", seed, least, best)
		}
	}
}

func TestMinCVaR_KeepsToGroupsAndShortBounds(t *testing.T) {
	for seed := range uint64(6) {
		s := sampleOf(t, randomReturns(seededRand(seed), 120, 9), 252)
		for _, l := range []optimize.Limits{longOnlyLimits(9), optimize.LongOnly(9)} {
			if seed%2 == 1 {
				l.Lower[5], l.Lower[6] = -0.3, -0.3
			}
			weights, least, err := optimize.MinCVaR(s, 0.95, l)
			if err != nil {
				t.Fatal(err)
			}
			wantWithinLimits(t, "MinCVaR", weights, l)
			// No nearby weights are better: small moves within the limits.
			r := seededRand(seed + 100)
			for range 2000 {
				i, j := r.IntN(9), r.IntN(9)
				moved := append([]float64{}, weights...)
				step := 0.02 * r.Float64()
				moved[i], moved[j] = moved[i]+step, moved[j]-step
				if i == j || l.Violation(moved) != "" {
					continue
				}
				if v := lossOf(t, s.PortfolioReturns(moved), 0.95); v < least-1e-7 {
					t.Fatalf("seed %d: a neighbour has %.9g, less than %.9g", seed, v, least)
				}
			}
		}
	}
}

func TestMinCVaR_AnAssetThatNeverFallsTakesAll(t *testing.T) {
	s := sampleOf(t, [][]float64{{0.01, 0.02, 0.01, 0.01}, {0.05, -0.04, 0.03, -0.02}}, 12)
	weights, least, err := optimize.MinCVaR(s, 0.75, optimize.LongOnly(2))
	if err != nil {
		t.Fatal(err)
	}
	// Its worst quarter is a gain of 1%; adding some of the other would not raise that.
	wantAllNear(t, "MinCVaR", weights, []float64{1, 0}, 1e-9)
	wantNear(t, "CVaR", least, -0.01, 1e-12)
}

func TestMinCVaR_RefusesWhatIsNoQuestion(t *testing.T) {
	s := sampleOf(t, randomReturns(seededRand(1), 30, 2), 252)
	if _, _, err := optimize.MinCVaR(s, 1, optimize.LongOnly(2)); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("confidence 1 = %v, want ErrMalformed", err)
	}
	if _, _, err := optimize.MinCVaR(s, 0.95, optimize.LongOnly(3)); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("three limits = %v, want ErrMalformed", err)
	}
	l := optimize.LongOnly(2)
	l.Upper = []float64{0.3, 0.3}
	if _, _, err := optimize.MinCVaR(s, 0.95, l); !errors.Is(err, optimize.ErrInfeasible) {
		t.Errorf("upper bounds of 0.6 = %v, want ErrInfeasible", err)
	}
}

// MinCVaR itself checks each answer against its dual, so here it only has to return one: for twins, for
// assets that hardly differ, and with more assets than periods.
func TestMinCVaR_OfAssetsThatHardlyDiffer(t *testing.T) {
	for seed := range uint64(20) { // each mix of the cases once
		samples := nearIdenticalReturns(seed)
		if seed%4 == 0 {
			samples[2] = samples[1]
		}
		if seed%5 == 0 {
			for i := range samples {
				samples[i] = samples[i][:5]
			}
		}
		l := optimize.LongOnly(len(samples))
		if seed%2 == 0 {
			for i := range l.Upper {
				l.Lower[i], l.Upper[i] = -0.1, 0.3
			}
		}
		s := sampleOf(t, samples, 252)
		for _, confidence := range []float64{0.5, 0.8, 0.95, 0.999} {
			weights, _, err := optimize.MinCVaR(s, confidence, l)
			if err != nil {
				t.Fatalf("seed %d at %v: %v", seed, confidence, err)
			}
			wantWithinLimits(t, "MinCVaR", weights, l)
		}
	}
}
