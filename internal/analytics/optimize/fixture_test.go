package optimize_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func seededRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 11)) }

// randomReturns returns returns of assets with a common factor.
func randomReturns(r *rand.Rand, periods, assets int) [][]float64 {
	out := make([][]float64, assets)
	for j := range out {
		out[j] = make([]float64, periods)
	}
	for t := range periods {
		common := 0.01 * r.NormFloat64()
		for j := range out {
			out[j][t] = 0.0004*float64(j%3) + (0.5+0.1*float64(j%7))*common + (0.004+0.002*float64(j%5))*r.NormFloat64()
		}
	}
	return out
}

func sampleOf(t testing.TB, columns [][]float64, frequency float64) optimize.Sample {
	t.Helper()
	s, err := optimize.NewSample(columns, frequency)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomAssets returns a random covariance for a year and expected returns for it.
func randomAssets(t testing.TB, seed uint64, assets int) (*mat.SymDense, []float64) {
	t.Helper()
	r := seededRand(seed)
	c, err := sampleOf(t, randomReturns(r, 3*assets+40, assets), 252).SampleCovariance()
	if err != nil {
		t.Fatal(err)
	}
	expected := make([]float64, assets)
	for i := range expected {
		expected[i] = 0.02 + 0.15*r.Float64()
	}
	return c, expected
}

func wantNear(t *testing.T, name string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s = %.12g, want %.12g", name, got, want)
	}
}

func wantAllNear(t *testing.T, name string, got, want []float64, within float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", name, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= within) {
			t.Errorf("%s = %.8v, want %.8v (entry %d)", name, got, want, i)
			return
		}
	}
}

// wantWithinLimits checks that weights sum to one and are within their limits.
func wantWithinLimits(t *testing.T, name string, weights []float64, l optimize.Limits) {
	t.Helper()
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if b := l.Violation(weights); b != "" || math.Abs(total-1) > 1e-9 {
		t.Errorf("%s: weights sum to %.12g; %s", name, total, b)
	}
}

func diagonalCovariance(variances ...float64) *mat.SymDense {
	out := mat.NewSymDense(len(variances), nil)
	for i, v := range variances {
		out.SetSym(i, i, v)
	}
	return out
}

// shuffled returns a covariance and its returns in another order, and that order.
func shuffled(r *rand.Rand, c *mat.SymDense, expected []float64) (*mat.SymDense, []float64, []int) {
	order := r.Perm(len(expected))
	out, returns := mat.NewSymDense(len(order), nil), make([]float64, len(order))
	for i, from := range order {
		returns[i] = expected[from]
		for j := range i + 1 {
			out.SetSym(i, j, c.At(from, order[j]))
		}
	}
	return out, returns, order
}

func permuted(values []float64, order []int) []float64 {
	out := make([]float64, len(order))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}
