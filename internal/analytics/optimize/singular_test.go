package optimize_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// nearIdenticalReturns returns returns of almost as many assets as periods; in every third case two of them
// hardly differ.
func nearIdenticalReturns(seed uint64) [][]float64 {
	r := seededRand(seed)
	assets := 5 + r.IntN(36)
	out := randomReturns(r, assets+2+r.IntN(6), assets)
	if seed%3 == 0 {
		by := math.Pow10(-4 - r.IntN(5))
		for t, v := range out[0] {
			out[1][t] = v + by*r.NormFloat64()
		}
	}
	return out
}

// priceGap returns how far weights are from having one price of the budget for all assets between their
// bounds: at the least variance it is zero or less.
func priceGap(weights []float64, c mat.Symmetric, l optimize.Limits) float64 {
	var slope mat.VecDense
	slope.MulVec(c, mat.NewVecDense(len(weights), weights))
	low, high := math.Inf(-1), math.Inf(1)
	for i, w := range weights {
		if w < l.Upper[i]-1e-9 {
			low = max(low, -slope.AtVec(i))
		}
		if w > l.Lower[i]+1e-9 {
			high = min(high, -slope.AtVec(i))
		}
	}
	return low - high
}

// For any covariance, an answer is right or there is an error.
func TestFrontier_OfAssetsThatHardlyDifferIsRightOrRefused(t *testing.T) {
	solved := 0
	for seed := range uint64(300) {
		s := sampleOf(t, nearIdenticalReturns(seed), 252)
		c, err := s.SampleCovariance()
		if err != nil {
			t.Fatal(err)
		}
		l := optimize.LongOnly(s.Assets())
		if seed%2 == 0 {
			for i := range l.Upper {
				l.Lower[i], l.Upper[i] = -0.1, 0.3
			}
		}
		f, err := optimize.NewFrontier(s.Mean(), c, l)
		weights, other := optimize.MinVolatility(c, l)
		if errors.Is(err, optimize.ErrSingular) && errors.Is(other, optimize.ErrSingular) {
			continue
		}
		if err != nil || other != nil {
			t.Errorf("seed %d: NewFrontier = %v, MinVolatility = %v", seed, err, other)
			continue
		}
		solved++
		wantWithinLimits(t, "MinVolatility", weights, l)
		if gap := priceGap(weights, c, l); gap > 1e-8*c.At(0, 0) {
			t.Errorf("seed %d: assets disagree on the price of the budget by %g", seed, gap)
		}
		last := 0.0
		for _, p := range f.Corners() {
			wantWithinLimits(t, "a corner", p.Weights, l)
			if p.Volatility < last-1e-9 {
				t.Errorf("seed %d: volatility falls from %g to %g", seed, last, p.Volatility)
			}
			last = p.Volatility
		}
	}
	if solved < 200 {
		t.Errorf("only %d of 300 are solved: the test shows little", solved)
	}
}
