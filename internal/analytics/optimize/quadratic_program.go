package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// QuadraticProgram is a family of convex programs over the same constraints:
//
//	minimise 1/2 x'Cx + c'z
//
// where x are the first variables of z, as many as C has rows, and the others are
// slacks, of which each stands alone in a row of its own. C is positive definite;
// all bounds are finite.
type QuadraticProgram struct {
	Curvature   mat.Symmetric
	Constraints Constraints
}

// QuadraticSolution is the solution of a quadratic program.
type QuadraticSolution struct {
	Point []float64
	// DualPrices are the multipliers of the rows: at the optimum the gradient less
	// Rows' Prices is zero for every variable between its bounds, at least zero at
	// a lower and at most zero at an upper one.
	DualPrices []float64
	// Steps is the number of changes of the set of binding bounds.
	Steps int
}

// Minimize solves the program for one linear part by a primal active set: from a
// corner of the constraints it moves to the optimum of the free variables, halts at
// the first bound in its way, and frees the bound that holds the objective up
// most, until none does. Source: J. Nocedal and S. Wright, "Numerical
// Optimization", 2nd edition 2006, algorithm 16.3.
func (q QuadraticProgram) Minimize(linear []float64) (QuadraticSolution, error) {
	k, err := q.start(linear)
	if err != nil {
		return QuadraticSolution{}, err
	}
	if err := k.descend(linear); err != nil {
		return QuadraticSolution{}, err
	}
	_, prices := k.solveForLinear(linear, true)
	return QuadraticSolution{Point: append([]float64{}, k.z...), DualPrices: prices, Steps: k.steps}, nil
}

// start is the corner with the lowest sum of the linear part and of the variances,
// which is near the optimum where that holds few assets.
func (q QuadraticProgram) start(linear []float64) (*kkt, error) {
	c := q.Constraints
	n := q.Curvature.SymmetricDim()
	if len(linear) != c.Size() || n > c.Size() || !allFinite(linear...) {
		return nil, fmt.Errorf("%w: curvature of %d and linear part of %d for %d variables", ErrProgramMalformed, n, len(linear), c.Size())
	}
	if !allFinite(c.Lower...) || !allFinite(c.Upper...) {
		return nil, fmt.Errorf("%w: a quadratic program needs finite bounds", ErrProgramMalformed)
	}
	cost := append([]float64{}, linear...)
	for i := range n {
		if v := q.Curvature.At(i, i); !allFinite(v) || v <= 0 {
			return nil, fmt.Errorf("%w: curvature %g of variable %d is not positive", ErrProgramMalformed, v, i)
		}
		cost[i] += q.Curvature.At(i, i) / 2
	}
	v, err := SolveLinear(cost, c)
	if err != nil {
		return nil, err
	}
	for _, j := range v.Basis {
		if j >= c.Size() {
			return nil, fmt.Errorf("%w: rows depend on one another", ErrProgramMalformed)
		}
	}
	return newKKT(q, v)
}

// descend brings the free variables to the optimum for the linear part.
func (k *kkt) descend(linear []float64) error {
	tolerance := 1e-11 * (k.scale + largest(linear))
	fresh := false
	for range 100*len(k.z) + 1000 {
		target, prices := k.solveForLinear(linear, true)
		if block, at := k.move(target); block >= 0 {
			k.z[k.free[block]] = at
			if err := k.fix(block); err != nil {
				return err
			}
			continue
		}
		j := k.bestRelease(linear, prices, tolerance)
		if j < 0 && !k.offConstraints() {
			return nil
		}
		if j < 0 {
			if fresh {
				break
			}
			fresh = true
			if err := k.refresh(); err != nil {
				return err
			}
			continue
		}
		if err := k.release(j); err != nil {
			return err
		}
	}
	return fmt.Errorf("active set: %w", ErrProgramNotConverged)
}

// move goes towards the target and halts at the first bound, whose position in
// the free set and value are returned, or -1.
func (k *kkt) move(target []float64) (block int, at float64) {
	block, step, pace := -1, 1.0, 0.0
	for i, j := range k.free {
		bound := k.lower[j]
		if target[i] > k.upper[j] {
			bound = k.upper[j]
		}
		travel := target[i] - k.z[j]
		// Within rounding of its bound it is at it, and may stay free.
		if target[i] >= k.lower[j]-1e-13 && target[i] <= k.upper[j]+1e-13 || !k.rowsAllowMove(i) {
			continue
		}
		// Rounding may have left it a little beyond its bound.
		limit := max(0, (bound-k.z[j])/travel)
		if limit < step-1e-14 || limit <= step+1e-14 && math.Abs(travel) > pace {
			block, step, at, pace = i, min(step, limit), bound, math.Abs(travel)
		}
	}
	for i, j := range k.free {
		k.z[j] += step * (target[i] - k.z[j])
	}
	return block, at
}

// bestRelease is the bound variable whose release lowers the objective fastest, or -1.
func (k *kkt) bestRelease(linear, prices []float64, tolerance float64) int {
	worst, most := -1, tolerance
	gradient := k.gradient(k.z)
	for j := range k.z {
		if k.position[j] >= 0 || k.lower[j] == k.upper[j] {
			continue
		}
		reduced := gradient[j] + linear[j] - k.columns[j].dot(prices)
		if k.atUpper(j) {
			reduced = -reduced
		}
		if -reduced > most {
			worst, most = j, -reduced
		}
	}
	return worst
}
