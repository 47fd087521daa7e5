package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func repeatedValue(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func programRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// The textbook example: at most 4 of x, 2 y at most 12, 3x+2y at most 18, maximize 3x+5y. Source: Hillier
// and Lieberman, "Introduction to Operations Research", Wyndor Glass Co.: x = 2, y = 6, value 36, shadow
// prices 0, 3/2, 1.
func TestSolveLinear_WyndorGlass(t *testing.T) {
	inf := math.Inf(1)
	v, err := optimize.SolveLinear([]float64{-3, -5, 0, 0, 0}, optimize.Constraints{
		Rows:  [][]float64{{1, 0, 1, 0, 0}, {0, 2, 0, 1, 0}, {3, 2, 0, 0, 1}},
		Right: []float64{4, 12, 18},
		Lower: repeatedValue(5, 0), Upper: repeatedValue(5, inf),
	})
	if err != nil {
		t.Fatal(err)
	}
	near := cmpopts.EquateApprox(0, 1e-12)
	if diff := cmp.Diff([]float64{2, 6, 2, 0, 0}, v.Point, near); diff != "" || math.Abs(v.Value+36) > 1e-12 {
		t.Errorf("point %v value %g, want x 2, y 6, -36", v.Point, v.Value)
	}
	if diff := cmp.Diff([]float64{0, -1.5, -1}, v.DualPrices, near); diff != "" {
		t.Errorf("shadow prices differ (-want +got):\n%s", diff)
	}
}

func TestSolveLinear_SaysWhatCannotBeSolved(t *testing.T) {
	inf := math.Inf(1)
	for _, row := range []struct {
		name string
		c    optimize.Constraints
		want error
	}{
		{"contradiction", optimize.Constraints{Rows: [][]float64{{1, 1}}, Right: []float64{3}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, 1)}, optimize.ErrInfeasible},
		{"bounds crossed", optimize.Constraints{Lower: []float64{0, 1}, Upper: []float64{1, 0}}, optimize.ErrInfeasible},
		{"no end", optimize.Constraints{Rows: [][]float64{{1, -1}}, Right: []float64{0}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, inf)}, optimize.ErrUnbounded},
		{"short row", optimize.Constraints{Rows: [][]float64{{1}}, Right: []float64{0}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, 1)}, optimize.ErrMalformed},
		{"rows without right sides", optimize.Constraints{Rows: [][]float64{{1, 1}}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, 1)}, optimize.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := optimize.SolveLinear([]float64{-1, -1}, row.c); !errors.Is(err, row.want) {
				t.Fatalf("Linear = %v, want %v", err, row.want)
			}
		})
	}
}

func TestSolveLinear_FreeVariablesAndUpperBoundsAreHeeded(t *testing.T) {
	// y is free: with 2x + y = 1, x at most 3 and cost x + y, x rises to its bound, because each unit of it
	// takes two of y away.
	v, err := optimize.SolveLinear([]float64{1, 1}, optimize.Constraints{
		Rows: [][]float64{{2, 1}}, Right: []float64{1},
		Lower: []float64{0, math.Inf(-1)}, Upper: []float64{3, math.Inf(1)},
	})
	if err != nil || math.Abs(v.Value+2) > 1e-12 || v.Point[0] != 3 {
		t.Fatalf("Linear = %+v, %v, want x 3, y -5, value -2", v, err)
	}
}

func TestSolveLinear_DependentRowsAreSolved(t *testing.T) {
	v, err := optimize.SolveLinear([]float64{1, 2}, optimize.Constraints{
		Rows: [][]float64{{1, 1}, {2, 2}}, Right: []float64{1, 2}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, 1),
	})
	if err != nil || math.Abs(v.Value-1) > 1e-12 {
		t.Fatalf("Linear = %+v, %v, want value 1 at (1, 0)", v, err)
	}
}

// Chvatal's example, on which Dantzig's rule alone never ends.
func TestSolveLinear_EndsWhereTheSteepestRuleCycles(t *testing.T) {
	inf := math.Inf(1)
	v, err := optimize.SolveLinear([]float64{-10, 57, 9, 24, 0, 0, 0}, optimize.Constraints{
		Rows:  [][]float64{{0.5, -5.5, -2.5, 9, 1, 0, 0}, {0.5, -1.5, -0.5, 1, 0, 1, 0}, {1, 0, 0, 0, 0, 0, 1}},
		Right: []float64{0, 0, 1}, Lower: repeatedValue(7, 0), Upper: repeatedValue(7, inf),
	})
	if err != nil || math.Abs(v.Value+1) > 1e-9 {
		t.Fatalf("Linear = %+v, %v, want value -1", v, err)
	}
}

// Random programs in standard form are also solved by gonum, whose code is independent.
func TestSolveLinear_AgreesWithAnIndependentSimplex(t *testing.T) {
	for seed := range uint64(60) {
		r := programRand(seed)
		m, n := 2+r.IntN(5), 9+r.IntN(12)
		dense := mat.NewDense(m, n, nil)
		c := optimize.Constraints{Right: make([]float64, m), Lower: repeatedValue(n, 0), Upper: repeatedValue(n, math.Inf(1))}
		cost := make([]float64, n)
		for i := range m {
			row := make([]float64, n)
			for j := range row {
				row[j] = r.NormFloat64()
				// A feasible point exists: all ones.
				c.Right[i] += row[j]
			}
			c.Rows = append(c.Rows, row)
			dense.SetRow(i, row)
		}
		for j := range cost {
			cost[j] = 0.1 + r.Float64()
		}
		want, _, err := lp.Simplex(cost, dense, c.Right, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := optimize.SolveLinear(cost, c)
		if err != nil || math.Abs(got.Value-want) > 1e-8*(1+math.Abs(want)) {
			t.Fatalf("seed %d: value %g, %v, want %g", seed, got.Value, err, want)
		}
		// Strong duality: the right side at its dual prices equals the optimum.
		worth := 0.0
		for i, y := range got.DualPrices {
			worth += y * c.Right[i]
		}
		if math.Abs(worth-got.Value) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("seed %d: prices value the right side at %g, want %g", seed, worth, got.Value)
		}
	}
}
