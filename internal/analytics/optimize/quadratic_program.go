package optimize

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// QuadraticProgram is a family of convex programs over the same constraints:
//
//	minimize 1/2 x'Cx + c'z
//
// where x are the first variables of z, as many as C has rows, and the others are slacks, each in
// only one row. C is positive definite; all bounds are finite.
type QuadraticProgram struct {
	Curvature   mat.Symmetric
	Constraints Constraints
}

// QuadraticSolution is the solution of a quadratic program.
type QuadraticSolution struct {
	Point []float64
	// DualPrices are the multipliers of the rows. At the optimum the gradient less Rows' DualPrices is zero
	// for every variable between its bounds, not negative at a lower bound and not positive at an upper
	// one.
	DualPrices []float64
}

// Minimize solves the program for one linear part by a primal active set method. From a corner of
// the constraints it moves to the optimum of the free variables, stops at the first bound, and
// frees the bound with the largest multiplier until there is none. Source: J. Nocedal and S.
// Wright, "Numerical Optimization", 2nd edition 2006, algorithm 16.3.
func (q QuadraticProgram) Minimize(linear []float64) (QuadraticSolution, error) {
	a, err := q.start(linear)
	if err != nil {
		return QuadraticSolution{}, err
	}
	if err := a.descend(linear); err != nil {
		return QuadraticSolution{}, err
	}
	_, prices := a.solve(linear, true)
	return QuadraticSolution{Point: a.z, DualPrices: prices}, nil
}

// start returns the vertex with the lowest sum of the linear part and half the variances, which is
// near the optimum if that has few assets.
func (q QuadraticProgram) start(linear []float64) (*activeSet, error) {
	c := q.Constraints
	n := q.Curvature.SymmetricDim()
	if len(linear) != c.Size() || n > c.Size() {
		return nil, fmt.Errorf("%w: %d curvatures and %d linear coefficients for %d variables", ErrMalformed, n, len(linear), c.Size())
	}
	if !allFinite(c.Lower...) || !allFinite(c.Upper...) {
		return nil, fmt.Errorf("%w: a quadratic program needs finite bounds", ErrMalformed)
	}
	a := &activeSet{columns: c.columns(), curvature: make([][]float64, n), right: c.Right, lower: c.Lower, upper: c.Upper}
	cost := slices.Clone(linear)
	for i := range n {
		a.curvature[i] = mat.Row(nil, i, q.Curvature)
		variance := a.curvature[i][i]
		if !(variance > 0) {
			return nil, fmt.Errorf("%w: curvature %g of variable %d is not positive", ErrMalformed, variance, i)
		}
		cost[i] += variance / 2
		a.scale = max(a.scale, variance)
	}
	corner, err := SolveLinear(cost, c)
	if err != nil {
		return nil, err
	}
	if slices.Max(corner.Basis) >= c.Size() {
		return nil, fmt.Errorf("%w: rows are linearly dependent", ErrMalformed)
	}
	a.z = corner.Point
	return a, a.setFree(corner.Basis)
}

// activeSet is a point z of a quadratic program with its free variables and the inverse of the matrix
// of the KKT system for them, where A and b are the constraints, C is the curvature and c the linear part:
//
//	| 0    A_F  | | -prices |   | b - A_B z_B       |
//	| A_F' C_FF | |  z_F    | = | -c_F - C_FB z_B   |
//
// F are the free variables, B those at a bound.
type activeSet struct {
	curvature    [][]float64 // of the first variables
	columns      []column
	right        []float64
	lower, upper []float64
	z            []float64
	free         []int
	isFree       []bool // by variable
	equations    *mat.Dense
	inverse      mat.Dense
	scale        float64 // of the gradient
}

// setFree sets the free variables. The others keep their values.
func (a *activeSet) setFree(free []int) error {
	a.free, a.isFree = free, make([]bool, len(a.z))
	m := len(a.right)
	a.equations = mat.NewDense(m+len(free), m+len(free), nil)
	for i, j := range free {
		a.isFree[j] = true
		for e, row := range a.columns[j].at {
			a.equations.Set(row, m+i, a.columns[j].value[e])
			a.equations.Set(m+i, row, a.columns[j].value[e])
		}
		for l, f := range free {
			if max(j, f) < len(a.curvature) {
				a.equations.Set(m+i, m+l, a.curvature[j][f])
			}
		}
	}
	a.inverse.Reset()
	var condition mat.Condition
	if err := a.inverse.Inverse(a.equations); err != nil && (!errors.As(err, &condition) || math.IsInf(float64(condition), 1)) {
		return fmt.Errorf("optimality equations: %w: %w", ErrNotConverged, err)
	}
	return nil
}

func (a *activeSet) release(j int) error { return a.setFree(append(a.free, j)) }

// fix removes the free variable at a position from the equations.
func (a *activeSet) fix(position int) error {
	return a.setFree(slices.Delete(a.free, position, position+1))
}

// rowsAllowMove reports whether the rows leave the free variable at a position any freedom. If not,
// its movement is rounding.
func (a *activeSet) rowsAllowMove(position int) bool {
	at := len(a.right) + position
	return a.inverse.At(at, at)*a.scale > 1e-9
}

// solve solves the equations for a linear part. Without constant it returns only the contribution of the
// linear part, so that solutions can be added.
func (a *activeSet) solve(linear []float64, constant bool) (free, prices []float64) {
	m := len(a.right)
	right := mat.NewVecDense(m+len(a.free), nil)
	if constant {
		fixed := slices.Clone(a.z)
		for _, j := range a.free {
			fixed[j] = 0
		}
		copy(right.RawVector().Data, a.residual(fixed))
		gradient := a.gradient(fixed)
		for i, j := range a.free {
			right.SetVec(m+i, -gradient[j])
		}
	}
	for i, j := range a.free {
		right.SetVec(m+i, right.AtVec(m+i)-linear[j])
	}
	var solved, rest mat.VecDense
	solved.MulVec(&a.inverse, right)
	// For nearly equal assets the inverse is inexact, so solve for the remainder once more.
	rest.MulVec(a.equations, &solved)
	rest.SubVec(right, &rest)
	rest.MulVec(&a.inverse, &rest)
	solved.AddVec(&solved, &rest)
	out := solved.RawVector().Data
	return out[m:], negated(out[:m])
}

// residual returns the right side of the rows less their value at a point.
func (a *activeSet) residual(z []float64) []float64 {
	left := slices.Clone(a.right)
	for j, v := range z {
		a.columns[j].subtract(v, left)
	}
	return left
}

// offConstraints reports whether rounding has moved the point off the rows.
func (a *activeSet) offConstraints() bool {
	return largest(a.residual(a.z)) > feasibilityTolerance*(1+largest(a.right))
}

// gradient returns the curvature times a point. It is zero for slacks.
func (a *activeSet) gradient(z []float64) []float64 {
	out := make([]float64, len(z))
	for j, row := range a.curvature {
		if z[j] != 0 {
			for i, c := range row {
				out[i] += c * z[j]
			}
		}
	}
	return out
}

func (a *activeSet) atUpper(j int) bool { return a.z[j]-a.lower[j] > a.upper[j]-a.z[j] }

// descend moves the free variables to the optimum for the linear part.
func (a *activeSet) descend(linear []float64) error {
	tolerance := 1e-11 * (a.scale + largest(linear))
	for range 100*len(a.z) + 1000 {
		target, prices := a.solve(linear, true)
		if block, at := a.move(target); block >= 0 {
			a.z[a.free[block]] = at
			if err := a.fix(block); err != nil {
				return err
			}
			continue
		}
		j := a.bestRelease(linear, prices, tolerance)
		if j < 0 {
			if a.offConstraints() {
				break
			}
			return nil
		}
		if err := a.release(j); err != nil {
			return err
		}
	}
	return fmt.Errorf("active set: %w", ErrNotConverged)
}

// move goes toward the target and stops at the first bound. It returns the position of that variable in the
// free set and the value of the bound, or -1 if nothing stopped it.
func (a *activeSet) move(target []float64) (block int, at float64) {
	block, step, pace := -1, 1.0, 0.0
	for i, j := range a.free {
		bound := a.lower[j]
		if target[i] > a.upper[j] {
			bound = a.upper[j]
		}
		travel := target[i] - a.z[j]
		// A variable within rounding of its bound counts as at the bound, and may stay free.
		if target[i] >= a.lower[j]-1e-13 && target[i] <= a.upper[j]+1e-13 || !a.rowsAllowMove(i) {
			continue
		}
		// Rounding may have left it slightly beyond the bound.
		limit := max(0, (bound-a.z[j])/travel)
		if limit < step-1e-14 || limit <= step+1e-14 && math.Abs(travel) > pace {
			block, step, at, pace = i, min(step, limit), bound, math.Abs(travel)
		}
	}
	for i, j := range a.free {
		a.z[j] += step * (target[i] - a.z[j])
	}
	return block, at
}

// bestRelease returns the variable at a bound whose release lowers the objective fastest, or -1.
func (a *activeSet) bestRelease(linear, prices []float64, tolerance float64) int {
	best, most := -1, tolerance
	gradient := a.gradient(a.z)
	for j := range a.z {
		if a.isFree[j] || a.lower[j] == a.upper[j] {
			continue
		}
		gain := a.columns[j].dot(prices) - gradient[j] - linear[j]
		if a.atUpper(j) {
			gain = -gain
		}
		if gain > most {
			best, most = j, gain
		}
	}
	return best
}

func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = -x
	}
	return out
}
