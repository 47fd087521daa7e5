package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// degenerateConstraints returns constraints that meet in points where more of them bind than there are
// dimensions: round bounds, fixed variables, overlapping groups whose limits are sums of bounds.
func degenerateConstraints(r *rand.Rand, n int) optimize.Constraints {
	c := optimize.Constraints{Rows: [][]float64{repeatedValue(n, 1)}, Right: []float64{1}, Lower: repeatedValue(n, 0), Upper: repeatedValue(n, 1)}
	kind := r.IntN(5)
	for i := range n {
		switch kind {
		case 0:
			c.Upper[i] = 0.25
		case 1:
			c.Lower[i], c.Upper[i] = 0.02, 0.3
		case 2:
			c.Lower[i], c.Upper[i] = -0.25, 0.5
		case 3:
			c.Upper[i] = 1 / float64(n)
		}
		if r.IntN(6) == 0 {
			c.Upper[i] = c.Lower[i]
		}
	}
	for range r.IntN(5) {
		size := c.Size()
		row := make([]float64, size+1)
		for i := range n {
			if i == 0 || r.IntN(3) == 0 {
				row[i] = 1
			}
		}
		row[size] = -1
		for i := range c.Rows {
			c.Rows[i] = append(c.Rows[i], 0)
		}
		most := 0.25 * float64(1+r.IntN(4))
		c.Rows, c.Right = append(c.Rows, row), append(c.Right, 0)
		c.Lower, c.Upper = append(c.Lower, most*float64(r.IntN(2))), append(c.Upper, most)
	}
	return c
}

func TestProgram_KnottedConstraintsAreSolved(t *testing.T) {
	solved := 0
	for seed := range uint64(400) {
		r := programRand(seed)
		n := 4 + r.IntN(16)
		q := optimize.QuadraticProgram{Curvature: randomCovariance(r, n), Constraints: degenerateConstraints(r, n)}
		none := make([]float64, q.Constraints.Size())
		o, err := q.Minimize(none)
		if errors.Is(err, optimize.ErrInfeasible) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: Minimize = %v", seed, err)
		}
		solved++
		if b := kktViolation(q, none, o); b > 1e-9 {
			t.Errorf("seed %d: conditions missed by %g", seed, b)
		}
		direction := make([]float64, q.Constraints.Size())
		for i := range n {
			// Steps of a thirtieth make ties.
			direction[i] = math.Round(6*r.Float64()) / 30
		}
		corners, err := q.CriticalLine(direction)
		if err != nil {
			t.Fatalf("seed %d: CriticalLine = %v", seed, err)
		}
		for i, c := range corners[1:] {
			sameAsActiveSet(t, q, direction, corners[i], c)
		}
		best, err := optimize.SolveLinear(negatedVector(direction), q.Constraints)
		if err != nil {
			t.Fatal(err)
		}
		if got := innerProduct(direction, corners[len(corners)-1].Point); math.Abs(got+best.Value) > 1e-9 {
			t.Errorf("seed %d: the line ends at %.12g, the linear program at %.12g", seed, got, -best.Value)
		}
	}
	if solved < 150 {
		t.Errorf("only %d programs have a solution: the test shows little", solved)
	}
}

// A variable that moves from one bound to the other must stop there despite rounding: -0.2 + 0.7 is a
// little less than 0.5.
func TestSolveLinear_AVariableStopsAtItsOtherBound(t *testing.T) {
	for seed := range uint64(50) {
		r := programRand(seed)
		const n = 14
		cost := make([]float64, n)
		for i := range cost {
			cost[i] = r.Float64()
		}
		c := optimize.Constraints{Rows: [][]float64{repeatedValue(n, 1)}, Right: []float64{1}, Lower: repeatedValue(n, -0.2), Upper: repeatedValue(n, 0.5)}
		v, err := optimize.SolveLinear(cost, c)
		if err != nil {
			t.Fatal(err)
		}
		for j, z := range v.Point {
			if z < -0.2-1e-12 || z > 0.5+1e-12 {
				t.Errorf("seed %d: variable %d is %g, its bounds are -0.2 and 0.5", seed, j, z)
			}
		}
	}
}

func negatedVector(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = -x
	}
	return out
}

func innerProduct(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
