package program_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/allocation/program"
)

// covariance is that of a few factors and a noise of each variable's own.
func covariance(r *rand.Rand, n int) *mat.SymDense {
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

// limited is a budget of one over bounded variables, the first group of which is
// held by an inequality with its slack.
func limited(r *rand.Rand, n int, lower, upper float64) program.Constraints {
	budget, group := append(repeated(n, 1), 0), make([]float64, n+1)
	for i := range n / 2 {
		group[i] = 1
	}
	group[n] = 1
	c := program.Constraints{
		Rows: [][]float64{budget, group}, Right: []float64{1, 0.3 + 0.3*r.Float64()},
		Lower: append(repeated(n, lower), 0), Upper: append(repeated(n, upper), 5),
	}
	return c
}

// breach is how far a point is from being optimal: the largest violation of a
// row, a bound or a sign of the reduced gradient.
func breach(q program.Quadratic, linear []float64, o program.Optimum) float64 {
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
			g -= row[j] * o.Prices[i]
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
				r := random(seed)
				q := program.Quadratic{Curvature: covariance(r, row.n), Constraints: limited(r, row.n, row.lower, row.upper)}
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
				if b := breach(q, linear, o); b > 1e-9 {
					t.Errorf("seed %d: conditions missed by %g", seed, b)
				}
			}
		})
	}
}

// Two variables without bounds in the way: x = (c22-c12)/(c11+c22-2c12).
func TestQuadratic_TwoVariablesInClosedForm(t *testing.T) {
	q := program.Quadratic{
		Curvature:   mat.NewSymDense(2, []float64{0.04, 0.006, 0.006, 0.09}),
		Constraints: program.Constraints{Rows: [][]float64{{1, 1}}, Right: []float64{1}, Lower: repeated(2, 0), Upper: repeated(2, 1)},
	}
	o, err := q.Minimize([]float64{0, 0})
	if want := 0.084 / 0.118; err != nil || math.Abs(o.Point[0]-want) > 1e-14 {
		t.Fatalf("Minimize = %+v, %v, want x %g", o, err, want)
	}
}

func TestQuadratic_SaysWhatCannotBeSolved(t *testing.T) {
	sym := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	c := program.Constraints{Rows: [][]float64{{1, 1}}, Right: []float64{1}, Lower: repeated(2, 0), Upper: repeated(2, 1)}
	change := func(f func(*program.Constraints)) program.Constraints {
		out := c
		f(&out)
		return out
	}
	for _, row := range []struct {
		name   string
		q      program.Quadratic
		linear []float64
		want   error
	}{
		{"infeasible", program.Quadratic{Curvature: sym, Constraints: change(func(c *program.Constraints) { c.Right = []float64{3} })}, repeated(2, 0), program.ErrInfeasible},
		{"infinite bound", program.Quadratic{Curvature: sym, Constraints: change(func(c *program.Constraints) { c.Upper = repeated(2, math.Inf(1)) })}, repeated(2, 0), program.ErrMalformed},
		{"rows repeat", program.Quadratic{Curvature: sym, Constraints: change(func(c *program.Constraints) {
			c.Rows, c.Right = [][]float64{{1, 1}, {1, 1}}, []float64{1, 1}
		})}, repeated(2, 0), program.ErrMalformed},
		{"flat", program.Quadratic{Curvature: mat.NewSymDense(2, nil), Constraints: c}, repeated(2, 0), program.ErrMalformed},
		{"linear part short", program.Quadratic{Curvature: sym, Constraints: c}, repeated(1, 0), program.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := row.q.Minimize(row.linear); !errors.Is(err, row.want) {
				t.Errorf("Minimize = %v, want %v", err, row.want)
			}
		})
	}
}

// The walk along the critical line and the active set are two methods: at every
// weight between two corners they give one portfolio.
func TestCriticalLine_AgreesWithTheActiveSetEverywhere(t *testing.T) {
	for _, bounds := range [][2]float64{{0, 1}, {0, 0.12}, {0.01, 0.3}, {-0.3, 0.5}} {
		for seed := range uint64(10) {
			r, n := random(seed), 18
			q := program.Quadratic{Curvature: covariance(r, n), Constraints: limited(r, n, bounds[0], bounds[1])}
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

// sameAsActiveSet compares at a third of the way in weight from a to b.
func sameAsActiveSet(t *testing.T, q program.Quadratic, direction []float64, a, b program.Corner) {
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
	if worst := breach(q, linear, o); worst > 1e-8*(1+weight) {
		t.Errorf("weight %g: active set misses the conditions by %g", weight, worst)
	}
	between := program.Optimum{Point: make([]float64, len(direction)), Prices: o.Prices}
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
	q := program.Quadratic{
		Curvature:   mat.NewSymDense(3, []float64{0.04, 0, 0, 0, 0.16, 0, 0, 0, 0.01}),
		Constraints: program.Constraints{Rows: [][]float64{{1, 1, 1}}, Right: []float64{1}, Lower: repeated(3, 0), Upper: repeated(3, 1)},
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
	flat, err := q.CriticalLine(repeated(3, 0.1))
	if err != nil || len(flat) != 1 {
		t.Errorf("equal directions: %d corners, %v, want the one", len(flat), err)
	}
}

func TestCriticalLine_DirectionMustFit(t *testing.T) {
	q := program.Quadratic{
		Curvature:   mat.NewSymDense(1, []float64{1}),
		Constraints: program.Constraints{Rows: [][]float64{{1}}, Right: []float64{1}, Lower: repeated(1, 0), Upper: repeated(1, 1)},
	}
	if _, err := q.CriticalLine(repeated(2, 1)); !errors.Is(err, program.ErrMalformed) {
		t.Errorf("CriticalLine = %v, want ErrMalformed", err)
	}
}
