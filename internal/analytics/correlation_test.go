package analytics_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

// By hand: x 1, 2, 3, 4 and y 2, 4, 5, 4 percent have means 2.5 and 3.75, sums of
// squares 5 and 4.75 and of products 3.5, so r = 3.5/sqrt(5*4.75) = 0.718185.
func TestCorrelation_ByHand(t *testing.T) {
	a, b := pricesFromReturns(t, market.Daily, .01, .02, .03, .04), pricesFromReturns(t, market.Daily, .02, .04, .05, .04)
	got, n, err := analytics.Correlation(a, b)
	if err != nil || n != 4 {
		t.Fatalf("Correlation = %v of %d returns, %v; want 4 returns", got, n, err)
	}
	wantNear(t, "correlation", got, 3.5/math.Sqrt(5*4.75), 1e-9)
}

// Anscombe's quartet, F. Anscombe, "Graphs in Statistical Analysis", The American
// Statistician 27, 1973: four sets of pairs, each with r = 0.816. Here as returns
// in per mille.
func TestCorrelation_Anscombe(t *testing.T) {
	x := []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}
	y := [][]float64{
		{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68},
		{9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74},
		{7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73},
	}
	perMille := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = v[i] / 1000
		}
		return out
	}
	for i := range y {
		got, _, err := analytics.Correlation(pricesFromReturns(t, market.Daily, perMille(x)...), pricesFromReturns(t, market.Daily, perMille(y[i])...))
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, "correlation", got, 0.8163, 2e-4)
	}
}

func TestCorrelation_IsSymmetricBoundedAndOneWithItself(t *testing.T) {
	for seed := range uint64(20) {
		a, b := mustPrices(t, randomSeries(t, seed, 200)), mustPrices(t, randomSeries(t, seed+100, 200))
		ab, n, err := analytics.Correlation(a, b)
		if err != nil || n != 199 || math.Abs(ab) > 1 {
			t.Fatalf("Correlation = %v of %d, %v", ab, n, err)
		}
		ba, _, err := analytics.Correlation(b, a)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, "correlation the other way", ba, ab, 1e-12)
		if own, _, err := analytics.Correlation(a, a); err != nil || own > 1 || own < 1-1e-12 {
			t.Errorf("correlation with itself = %v, %v", own, err)
		}
	}
}

func TestCorrelation_RefusesWhatHasNone(t *testing.T) {
	steady := pricesFromReturns(t, market.Daily, .01, .01, .01, .01)
	moving := pricesFromReturns(t, market.Daily, .01, -.01, .02, .03)
	for _, tt := range []struct {
		name string
		a, b analytics.Prices
		want error
	}{
		{"two returns", pricesFromReturns(t, market.Daily, .01, .02), pricesFromReturns(t, market.Daily, .01, .03), analytics.ErrTooFew},
		{"constant growth", steady, moving, analytics.ErrConstant},
		{"constant growth of the other", moving, steady, analytics.ErrConstant},
		{"different lengths", moving, pricesFromReturns(t, market.Daily, .01, .02, .03), analytics.ErrUnaligned},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, err := analytics.Correlation(tt.a, tt.b); !errors.Is(err, tt.want) {
				t.Errorf("Correlation = %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestRebased_BeginsWithTheBaseAndKeepsReturns(t *testing.T) {
	p := pricesFromReturns(t, market.Daily, .5, -.5)
	if diff := cmp.Diff([]float64{1000, 1500, 750}, p.Rebased(1000)); diff != "" {
		t.Errorf("rebased (-want +got):\n%s", diff)
	}
	if got := (analytics.Prices{}).Rebased(100); len(got) != 0 {
		t.Errorf("rebased of nothing = %v", got)
	}
}
