package optimize

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// kkt holds a point of a quadratic program with its free variables and the
// inverse of the equations that make the gradient vanish on them:
//
//	| 0    A_F  | | -prices |   | b - A_B z_B       |
//	| A_F' C_FF | |  z_F    | = | -c_F - C_FB z_B   |
//
// F are the free variables, B those at a bound. Freeing or fixing one borders the
// inverse or takes a line out of it, which costs the square of its size and not
// the cube.
type kkt struct {
	n            int // variables with curvature
	curvature    [][]float64
	columns      []column
	right        []float64
	lower, upper []float64
	z            []float64
	free         []int
	position     []int // in free, -1 at a bound
	inverse      [][]float64
	scale        float64 // of the gradient
	steps        int
}

func newKKT(q QuadraticProgram, v LinearSolution) (*kkt, error) {
	c := q.Constraints
	k := &kkt{
		n: q.Curvature.SymmetricDim(), columns: c.columns(), right: c.Right, lower: c.Lower, upper: c.Upper,
		z: v.Point, free: append([]int{}, v.Basis...), position: make([]int, c.Size()),
	}
	k.curvature = make([][]float64, k.n)
	for i := range k.curvature {
		k.curvature[i] = make([]float64, k.n)
		for j := range k.curvature[i] {
			k.curvature[i][j] = q.Curvature.At(i, j)
		}
		k.scale = max(k.scale, k.curvature[i][i])
	}
	for j := range k.position {
		k.position[j] = -1
	}
	for i, j := range k.free {
		k.position[j] = i
	}
	return k, k.refresh()
}

func (k *kkt) atUpper(j int) bool { return k.z[j]-k.lower[j] > k.upper[j]-k.z[j] }

// refresh computes the inverse from the data.
func (k *kkt) refresh() error {
	m := len(k.right)
	size := m + len(k.free)
	full := mat.NewDense(size, size, nil)
	for i, j := range k.free {
		for row, v := range k.borderColumn(j) {
			full.Set(row, m+i, v)
			full.Set(m+i, row, v)
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(full); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) || math.IsInf(float64(condition), 1) {
			return fmt.Errorf("optimality equations: %w: %w", ErrProgramNotConverged, err)
		}
	}
	k.inverse = make([][]float64, size)
	for i := range k.inverse {
		k.inverse[i] = append([]float64{}, inverse.RawRowView(i)...)
	}
	return nil
}

// borderColumn is the line of a variable in the equations: its part in the rows, then
// its curvature with the free variables.
func (k *kkt) borderColumn(j int) []float64 {
	m := len(k.right)
	out := make([]float64, m+len(k.free))
	for e, i := range k.columns[j].at {
		out[i] = k.columns[j].value[e]
	}
	if j >= k.n {
		return out
	}
	for i, f := range k.free {
		if f < k.n {
			out[m+i] = k.curvature[j][f]
		}
	}
	return out
}

// release frees a variable from its bound.
func (k *kkt) release(j int) error {
	line := k.borderColumn(j)
	own := 0.0
	if j < k.n {
		own = k.curvature[j][j]
	}
	solved := make([]float64, len(line))
	for i, row := range k.inverse {
		solved[i] = dot(row, line)
	}
	rest := own - dot(line, solved)
	k.position[j] = len(k.free)
	k.free = append(k.free, j)
	k.steps++
	// What is left of the curvature after the others answered is small only where
	// the difference is mostly rounding.
	if k.steps%refreshInterval == 0 || rest < 1e-7*max(own, k.scale*1e-3) {
		return k.refresh()
	}
	for i, row := range k.inverse {
		factor := solved[i] / rest
		for e, s := range solved {
			row[e] += factor * s
		}
		k.inverse[i] = append(row, -factor)
	}
	last := make([]float64, len(line)+1)
	for i, s := range solved {
		last[i] = -s / rest
	}
	last[len(line)] = 1 / rest
	k.inverse = append(k.inverse, last)
	return nil
}

// rowsAllowMove reports whether the rows leave the free variable at a position any choice.
// Where they do not, what it seems to move by is rounding, and without it they
// would have no solution.
func (k *kkt) rowsAllowMove(position int) bool {
	at := len(k.right) + position
	return k.inverse[at][at]*k.scale > 1e-9
}

// fix takes the free variable at a position out of the equations; it stays where
// it is.
func (k *kkt) fix(position int) error {
	at := len(k.right) + position
	gone := k.inverse[at]
	k.position[k.free[position]] = -1
	k.free = append(k.free[:position], k.free[position+1:]...)
	for i, j := range k.free {
		k.position[j] = i
	}
	k.steps++
	if k.steps%refreshInterval == 0 || math.Abs(gone[at]) < 1e-7/k.scale {
		return k.refresh()
	}
	k.inverse = append(k.inverse[:at], k.inverse[at+1:]...)
	for i, row := range k.inverse {
		factor := row[at] / gone[at]
		for e, g := range gone {
			row[e] -= factor * g
		}
		k.inverse[i] = append(row[:at], row[at+1:]...)
	}
	return nil
}

// solveForLinear solves the equations for a linear part; without constant only for that
// part's own share, so that the solution for a multiple of it is a sum.
func (k *kkt) solveForLinear(linear []float64, constant bool) (free, prices []float64) {
	m := len(k.right)
	rhs := make([]float64, m+len(k.free))
	if constant {
		k.rightSideLessFixed(rhs)
	}
	for i, j := range k.free {
		rhs[m+i] -= linear[j]
	}
	out := k.solve(rhs)
	prices = make([]float64, m)
	for i := range prices {
		prices[i] = -out[i]
	}
	return out[m:], prices
}

// solve multiplies by the inverse, and once more what the equations then still
// miss: the inverse has gathered the rounding of every change since it was computed.
func (k *kkt) solve(rhs []float64) []float64 {
	out := make([]float64, len(rhs))
	rest := rhs
	for range 2 {
		for i, row := range k.inverse {
			out[i] += dot(row, rest)
		}
		rest = k.residual(out, rhs)
	}
	return out
}

// residual is what a solution leaves of the right side.
func (k *kkt) residual(out, rhs []float64) []float64 {
	m := len(k.right)
	rest := append([]float64{}, rhs...)
	for i, j := range k.free {
		for e, row := range k.columns[j].at {
			rest[row] -= k.columns[j].value[e] * out[m+i]
			rest[m+i] -= k.columns[j].value[e] * out[row]
		}
		if j >= k.n {
			continue
		}
		for at, f := range k.free {
			if f < k.n {
				rest[m+i] -= k.curvature[j][f] * out[m+at]
			}
		}
	}
	return rest
}

// offConstraints reports whether rounding has carried the point off the rows.
func (k *kkt) offConstraints() bool {
	left := append([]float64{}, k.right...)
	for j, v := range k.z {
		for e, i := range k.columns[j].at {
			left[i] -= k.columns[j].value[e] * v
		}
	}
	return largest(left) > feasibilityTolerance*(1+largest(k.right))
}

// rightSideLessFixed is the right side that the variables at their bounds make.
func (k *kkt) rightSideLessFixed(rhs []float64) {
	m := len(k.right)
	copy(rhs, k.right)
	for j, v := range k.z {
		if k.position[j] >= 0 || v == 0 {
			continue
		}
		for e, i := range k.columns[j].at {
			rhs[i] -= k.columns[j].value[e] * v
		}
		if j >= k.n {
			continue
		}
		for i, f := range k.free {
			if f < k.n {
				rhs[m+i] -= k.curvature[j][f] * v
			}
		}
	}
}

// gradient is the curvature times a point; slacks have none.
func (k *kkt) gradient(z []float64) []float64 {
	out := make([]float64, len(z))
	for j, v := range z[:k.n] {
		if v == 0 {
			continue
		}
		for i, c := range k.curvature[j] {
			out[i] += c * v
		}
	}
	return out
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
