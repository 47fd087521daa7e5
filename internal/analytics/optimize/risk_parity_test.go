package optimize_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// inverseWeights returns weights in proportion to the inverse of the values.
func inverseWeights(values ...float64) []float64 {
	total := 0.0
	for _, v := range values {
		total += 1 / v
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = 1 / v / total
	}
	return out
}

func TestRiskParity_OfUnrelatedAssetsIsInverseVolatility(t *testing.T) {
	got, err := optimize.RiskParity(diagonalCovariance(0.01, 0.04, 0.09, 0.25), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "RiskParity", got, inverseWeights(0.1, 0.2, 0.3, 0.5), 1e-9)
}

// For two assets the correlation does not matter. Source: S. Maillard, T. Roncalli
// and J. Teiletche, "The Properties of Equally Weighted Risk Contribution
// Portfolios", 2010.
func TestRiskParity_OfTwoAssetsIsInverseVolatilityWhateverTheCorrelation(t *testing.T) {
	for _, r := range []float64{-0.9, 0, 0.5, 0.99} {
		c := mat.NewSymDense(2, []float64{0.04, r * 0.06, r * 0.06, 0.09})
		got, err := optimize.RiskParity(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantAllNear(t, "RiskParity", got, []float64{0.6, 0.4}, 1e-8)
	}
}

func TestRiskParity_EachAssetContributesItsShare(t *testing.T) {
	for _, assets := range []int{3, 10, 60} {
		c, expected := randomAssets(t, uint64(assets), assets)
		got, err := optimize.RiskParity(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantWithinLimits(t, "RiskParity", got, optimize.LongOnly(assets))
		wantAllNear(t, "contributions", optimize.RiskContributions(got, c), optimize.EqualWeights(assets), 1e-9)

		shares := inverseWeights(slices.Repeat([]float64{1, 2, 4}, assets/3+1)[:assets]...)
		if got, err = optimize.RiskParity(c, shares); err != nil {
			t.Fatal(err)
		}
		wantAllNear(t, "contributions", optimize.RiskContributions(got, c), shares, 1e-9)

		other, _, order := shuffled(seededRand(4), c, expected)
		again, err := optimize.RiskParity(other, permuted(shares, order))
		if err != nil {
			t.Fatal(err)
		}
		wantAllNear(t, "RiskParity in another order", again, permuted(got, order), 1e-7)
	}
}

func TestRiskParity_RefusesSharesThatAreNone(t *testing.T) {
	for name, shares := range map[string][]float64{"few": {1}, "zero": {1, 0}, "more than one": {0.9, 0.9}, "not a number": {0.5, math.NaN()}} {
		if _, err := optimize.RiskParity(diagonalCovariance(1, 1), shares); !errors.Is(err, optimize.ErrMalformed) {
			t.Errorf("%s: RiskParity = %v, want ErrMalformed", name, err)
		}
	}
	if _, err := optimize.RiskParity(mat.NewSymDense(2, []float64{1, 1, 1, 1}), nil); !errors.Is(err, optimize.ErrSingular) {
		t.Errorf("RiskParity of twins = %v, want ErrSingular", err)
	}
}

func TestHierarchicalRiskParity_OfUnrelatedAssetsIsInverseVariance(t *testing.T) {
	got, _, err := optimize.HierarchicalRiskParity(diagonalCovariance(0.01, 0.04, 0.09, 0.25, 0.16))
	if err != nil {
		t.Fatal(err)
	}
	wantAllNear(t, "HRP", got, inverseWeights(0.01, 0.04, 0.09, 0.25, 0.16), 1e-12)
}

// correlated returns the covariance of volatilities and correlations.
func correlated(volatilities []float64, r func(i, j int) float64) *mat.SymDense {
	out := mat.NewSymDense(len(volatilities), nil)
	for i, a := range volatilities {
		for j, b := range volatilities[:i+1] {
			v := a * b
			if i != j {
				v *= r(i, j)
			}
			out.SetSym(i, j, v)
		}
	}
	return out
}

// 0 and 2 go together most, 1 and 3 next, and these two pairs hardly: the order is
// 0, 2, 1, 3. The pairs have the variances of their inverse-variance weights:
//
//	0, 2: volatilities 0.1 and 0.2, r 0.9: weights 0.8, 0.2, variance 0.01376
//	1, 3: volatilities 0.3 and 0.3, r 0.6: weights 0.5, 0.5, variance 0.072
func TestHierarchicalRiskParity_ByHand(t *testing.T) {
	c := correlated([]float64{0.1, 0.3, 0.2, 0.3}, func(i, j int) float64 {
		switch {
		case i == 2 && j == 0:
			return 0.9
		case i == 3 && j == 1:
			return 0.6
		}
		return 0.1
	})
	got, order, err := optimize.HierarchicalRiskParity(c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order, []int{0, 2, 1, 3}) {
		t.Errorf("order = %v, want 0, 2, 1, 3", order)
	}
	first := 1 - 0.01376/(0.01376+0.072)
	wantAllNear(t, "HRP", got, []float64{0.8 * first, 0.5 * (1 - first), 0.2 * first, 0.5 * (1 - first)}, 1e-12)
}

// Twins, whose covariance has no inverse, share the weight that one of them would have had next to an
// unrelated asset of half their variance.
func TestHierarchicalRiskParity_NeedsNoInverse(t *testing.T) {
	c := correlated([]float64{0.2, 0.2, math.Sqrt(0.02)}, func(i, j int) float64 {
		if i == 1 && j == 0 {
			return 1
		}
		return 0
	})
	got, order, err := optimize.HierarchicalRiskParity(c)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order, []int{2, 0, 1}) {
		t.Errorf("order = %v: an asset comes before a cluster, want 2, 0, 1", order)
	}
	wantAllNear(t, "HRP", got, []float64{1.0 / 6, 1.0 / 6, 2.0 / 3}, 1e-12)
}

func TestHierarchicalRiskParity_PropertiesOnRandomAssets(t *testing.T) {
	for seed := range uint64(10) {
		c, _ := randomAssets(t, seed, 25)
		got, order, err := optimize.HierarchicalRiskParity(c)
		if err != nil {
			t.Fatal(err)
		}
		wantWithinLimits(t, "HRP", got, optimize.LongOnly(25))
		if least := slices.Min(got); least <= 0 {
			t.Errorf("least weight %g, want all above zero", least)
		}
		slices.Sort(order)
		for i, j := range order {
			if i != j {
				t.Fatalf("order %v is not one of all assets", order)
			}
		}
		var scaled mat.SymDense
		scaled.ScaleSym(7, c)
		again, _, err := optimize.HierarchicalRiskParity(&scaled)
		if err != nil {
			t.Fatal(err)
		}
		wantAllNear(t, "HRP at another scale", again, got, 1e-9)
	}
	if _, _, err := optimize.HierarchicalRiskParity(diagonalCovariance(1, 0)); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("HRP without variance = %v, want ErrMalformed", err)
	}
}
