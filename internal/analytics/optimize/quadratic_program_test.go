package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// randomCovariance returns a covariance of a few factors and a noise of each variable's own.
func randomCovariance(r *rand.Rand, n int) *mat.SymDense {
	const factors = 4
	loads := mat.NewDense(n, factors, nil)
	for i := range n {
		for f := range factors {
			loads.Set(i, f, 0.1*r.NormFloat64())
		}
		loads.Set(i, 0, 0.15+0.05*r.Float64())
	}
	var out mat.SymDense
	out.SymOuterK(1, loads)
	for i := range n {
		out.SetSym(i, i, out.At(i, i)+0.005+0.05*r.Float64())
	}
	return &out
}

// boundedConstraints returns a budget of one over bounded variables, the first group of which is limited by
// an inequality with a slack variable.
func boundedConstraints(r *rand.Rand, n int, lower, upper float64) optimize.Constraints {
	budget, group := append(repeatedValue(n, 1), 0), make([]float64, n+1)
	for i := range n / 2 {
		group[i] = 1
	}
	group[n] = 1
	c := optimize.Constraints{
		Rows: [][]float64{budget, group}, Right: []float64{1, 0.3 + 0.3*r.Float64()},
		Lower: append(repeatedValue(n, lower), 0), Upper: append(repeatedValue(n, upper), 5),
	}
	return c
}

// kktViolation returns how far a point is from being optimal: the largest violation of a row, a bound or a
// sign of the reduced gradient.
func kktViolation(q optimize.QuadraticProgram, linear []float64, o optimize.QuadraticSolution) float64 {
	c, worst := q.Constraints, 0.0
	for i, row := range c.Rows {
		sum := -c.Right[i]
		for j, v := range row {
			sum += v * o.Point[j]
		}
		worst = max(worst, math.Abs(sum))
	}
	for j, z := range o.Point {
		g := linear[j]
		if n := q.Curvature.SymmetricDim(); j < n {
			for i := range n {
				g += q.Curvature.At(j, i) * o.Point[i]
			}
		}
		for i, row := range c.Rows {
			g -= row[j] * o.DualPrices[i]
		}
		worst = max(worst, c.Lower[j]-z, z-c.Upper[j])
		if z < c.Upper[j]-1e-9 {
			worst = max(worst, -g)
		}
		if z > c.Lower[j]+1e-9 {
			worst = max(worst, g)
		}
	}
	return worst
}

func TestQuadratic_OptimaSatisfyTheKKTConditions(t *testing.T) {
	for _, row := range []struct {
		name         string
		n            int
		lower, upper float64
	}{
		{"long only", 20, 0, 1}, {"capped", 20, 0, 0.1}, {"floors and caps", 12, 0.02, 0.2}, {"short", 15, -0.5, 0.8}, {"fixed", 10, 0.1, 0.1001}, {"many", 90, 0, 0.05},
	} {
		t.Run(row.name, func(t *testing.T) {
			for seed := range uint64(15) {
				r := programRand(seed)
				q := optimize.QuadraticProgram{Curvature: randomCovariance(r, row.n), Constraints: boundedConstraints(r, row.n, row.lower, row.upper)}
				if row.name == "fixed" {
					q.Constraints.Right[1] = 0.9
				}
				linear := make([]float64, row.n+1)
				for i := range row.n {
					linear[i] = -0.1 * r.Float64() * float64(seed%3)
				}
				o, err := q.Minimize(linear)
				if err != nil {
					t.Fatal(err)
				}
				if b := kktViolation(q, linear, o); b > 1e-9 {
					t.Errorf("seed %d: conditions missed by %g", seed, b)
				}
			}
		})
	}
}

// Two variables whose bounds do not bind: x = (c22-c12)/(c11+c22-2c12).
func TestQuadratic_TwoVariablesInClosedForm(t *testing.T) {
	q := optimize.QuadraticProgram{
		Curvature:   mat.NewSymDense(2, []float64{0.04, 0.006, 0.006, 0.09}),
		Constraints: optimize.Constraints{Rows: [][]float64{{1, 1}}, Right: []float64{1}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, 1)},
	}
	o, err := q.Minimize([]float64{0, 0})
	if want := 0.084 / 0.118; err != nil || math.Abs(o.Point[0]-want) > 1e-14 {
		t.Fatalf("Minimize = %+v, %v, want x %g", o, err, want)
	}
}

func TestQuadratic_SaysWhatCannotBeSolved(t *testing.T) {
	sym := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	c := optimize.Constraints{Rows: [][]float64{{1, 1}}, Right: []float64{1}, Lower: repeatedValue(2, 0), Upper: repeatedValue(2, 1)}
	change := func(f func(*optimize.Constraints)) optimize.Constraints {
		out := c
		f(&out)
		return out
	}
	for _, row := range []struct {
		name   string
		q      optimize.QuadraticProgram
		linear []float64
		want   error
	}{
		{"infeasible", optimize.QuadraticProgram{Curvature: sym, Constraints: change(func(c *optimize.Constraints) { c.Right = []float64{3} })}, repeatedValue(2, 0), optimize.ErrInfeasible},
		{"infinite bound", optimize.QuadraticProgram{Curvature: sym, Constraints: change(func(c *optimize.Constraints) { c.Upper = repeatedValue(2, math.Inf(1)) })}, repeatedValue(2, 0), optimize.ErrMalformed},
		{"rows repeat", optimize.QuadraticProgram{Curvature: sym, Constraints: change(func(c *optimize.Constraints) {
			c.Rows, c.Right = [][]float64{{1, 1}, {1, 1}}, []float64{1, 1}
		})}, repeatedValue(2, 0), optimize.ErrMalformed},
		{"flat", optimize.QuadraticProgram{Curvature: mat.NewSymDense(2, nil), Constraints: c}, repeatedValue(2, 0), optimize.ErrMalformed},
		{"linear part short", optimize.QuadraticProgram{Curvature: sym, Constraints: c}, repeatedValue(1, 0), optimize.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := row.q.Minimize(row.linear); !errors.Is(err, row.want) {
				t.Errorf("Minimize = %v, want %v", err, row.want)
			}
		})
	}
}

// The critical line and the active set are two methods: at every weight between two corners they give the
// same portfolio.
func TestCriticalLine_AgreesWithTheActiveSetEverywhere(t *testing.T) {
	for _, bounds := range [][2]float64{{0, 1}, {0, 0.12}, {0.01, 0.3}, {-0.3, 0.5}} {
		for seed := range uint64(10) {
			r, n := programRand(seed), 18
			q := optimize.QuadraticProgram{Curvature: randomCovariance(r, n), Constraints: boundedConstraints(r, n, bounds[0], bounds[1])}
			direction := make([]float64, n+1)
			for i := range n {
				direction[i] = 0.02 + 0.2*r.Float64()
			}
			corners, err := q.CriticalLine(direction)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range corners[1:] {
				sameAsActiveSet(t, q, direction, corners[i], c)
			}
			last := corners[len(corners)-1]
			beyond := last
			beyond.Weight = 3*last.Weight + 1
			sameAsActiveSet(t, q, direction, beyond, beyond)
		}
	}
}

// sameAsActiveSet compares the two methods at a third of the weight from a to b.
func sameAsActiveSet(t *testing.T, q optimize.QuadraticProgram, direction []float64, a, b optimize.CriticalPoint) {
	t.Helper()
	weight := a.Weight + (b.Weight-a.Weight)/3
	linear := make([]float64, len(direction))
	for i, d := range direction {
		linear[i] = -weight * d
	}
	o, err := q.Minimize(linear)
	if err != nil {
		t.Fatal(err)
	}
	if worst := kktViolation(q, linear, o); worst > 1e-8*(1+weight) {
		t.Errorf("weight %g: active set misses the conditions by %g", weight, worst)
	}
	between := optimize.QuadraticSolution{Point: make([]float64, len(direction)), DualPrices: o.DualPrices}
	for i := range direction {
		between.Point[i] = a.Point[i] + (b.Point[i]-a.Point[i])/3
	}
	for i, v := range o.Point {
		if math.Abs(v-between.Point[i]) > 1e-7 {
			t.Fatalf("weights %g to %g: variable %d is %g on the line and %g by the active set", a.Weight, b.Weight, i, between.Point[i], v)
		}
	}
}

func TestCriticalLine_EqualDirectionsEndAtTheLeastCurvatureAmongThem(t *testing.T) {
	q := optimize.QuadraticProgram{
		Curvature:   mat.NewSymDense(3, []float64{0.04, 0, 0, 0, 0.16, 0, 0, 0, 0.01}),
		Constraints: optimize.Constraints{Rows: [][]float64{{1, 1, 1}}, Right: []float64{1}, Lower: repeatedValue(3, 0), Upper: repeatedValue(3, 1)},
	}
	corners, err := q.CriticalLine([]float64{0.1, 0.1, 0.02})
	if err != nil {
		t.Fatal(err)
	}
	// Between the two of 0.1 the least variance has 0.16/0.2 of the first.
	last := corners[len(corners)-1].Point
	if math.Abs(last[0]-0.8) > 1e-9 || math.Abs(last[1]-0.2) > 1e-9 {
		t.Errorf("last corner %v, want 0.8, 0.2, 0", last)
	}
	flat, err := q.CriticalLine(repeatedValue(3, 0.1))
	if err != nil || len(flat) != 1 {
		t.Errorf("equal directions: %d corners, %v, want the one", len(flat), err)
	}
}

func TestCriticalLine_DirectionMustFit(t *testing.T) {
	q := optimize.QuadraticProgram{
		Curvature:   mat.NewSymDense(1, []float64{1}),
		Constraints: optimize.Constraints{Rows: [][]float64{{1}}, Right: []float64{1}, Lower: repeatedValue(1, 0), Upper: repeatedValue(1, 1)},
	}
	if _, err := q.CriticalLine(repeatedValue(2, 1)); !errors.Is(err, optimize.ErrMalformed) {
		t.Errorf("CriticalLine = %v, want ErrMalformed", err)
	}
}
