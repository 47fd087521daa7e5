package optimize

import (
	"fmt"
	"math"
)

// LinearSolution is a solution of a linear program at a corner of its constraints.
type LinearSolution struct {
	Point []float64
	Value float64
	// DualPrices are the multipliers of the rows: what Value gains by a unit more of
	// the right side.
	DualPrices []float64
	// Basis lists a variable for each row; the others are at a bound, or at zero
	// where they have none.
	Basis []int
	// Pivots is the number of steps taken.
	Pivots int
}

// SolveLinear minimises cost z over the constraints, whose bounds may be infinite, by
// the simplex method for bounded variables: artificial variables find a first
// corner, the steepest reduced cost chooses the entering variable, and Bland's
// rule takes over where steps stand still, so that it ends. Source: V. Chvatal,
// "Linear Programming", 1983, chapters 3 and 8.
//
// The error is ErrProgramInfeasible or ErrProgramUnbounded where that is the answer.
func SolveLinear(cost []float64, c Constraints) (LinearSolution, error) {
	if err := c.check(); err != nil {
		return LinearSolution{}, err
	}
	if len(cost) != c.Size() || !allFinite(cost...) {
		return LinearSolution{}, fmt.Errorf("%w: %d costs of %d variables", ErrProgramMalformed, len(cost), c.Size())
	}
	s := newSimplex(c)
	phase := make([]float64, len(s.lower))
	for i := range s.rows {
		phase[s.real+i] = 1
	}
	if err := s.minimize(phase); err != nil {
		return LinearSolution{}, err
	}
	if gap := s.artificial(); gap > feasibilityTolerance*(1+largest(c.Right)) {
		return LinearSolution{}, fmt.Errorf("%w: by %.3g", ErrProgramInfeasible, gap)
	}
	s.retire()
	copy(phase, cost)
	clear(phase[s.real:])
	if err := s.minimize(phase); err != nil {
		return LinearSolution{}, err
	}
	return s.vertex(cost), nil
}

// feasibilityTolerance is how far a row may be missed, relative to its size.
const feasibilityTolerance = 1e-9

// simplex is the state of the method. Variables past real are artificial, one
// for each row.
type simplex struct {
	real, rows   int
	columns      []column
	right        []float64
	lower, upper []float64
	value        []float64
	basis        []int  // variable of each row
	basic        []bool // by variable
	inverse      [][]float64
	pivots       int
}

func newSimplex(c Constraints) *simplex {
	n, m := c.Size(), len(c.Rows)
	s := &simplex{
		real: n, rows: m, columns: c.columns(), right: c.Right,
		lower: append(append([]float64{}, c.Lower...), make([]float64, m)...),
		upper: append([]float64{}, c.Upper...),
		value: make([]float64, n+m), basis: make([]int, m), basic: make([]bool, n+m),
		inverse: make([][]float64, m),
	}
	for j := range n {
		switch {
		case !math.IsInf(s.lower[j], 0):
			s.value[j] = s.lower[j]
		case !math.IsInf(s.upper[j], 0):
			s.value[j] = s.upper[j]
		}
	}
	left := s.residual(false)
	for i := range m {
		sign := 1.0
		if left[i] < 0 {
			sign = -1
		}
		j := n + i
		s.columns = append(s.columns, column{at: []int{i}, value: []float64{sign}})
		s.upper = append(s.upper, math.Inf(1))
		s.value[j], s.basis[i], s.basic[j] = math.Abs(left[i]), j, true
		s.inverse[i] = make([]float64, m)
		s.inverse[i][i] = sign
	}
	return s
}

// residual is what the rows lack; with nonbasic, by the variables outside the
// basis alone.
func (s *simplex) residual(nonbasic bool) []float64 {
	left := append([]float64{}, s.right...)
	for j, col := range s.columns {
		if s.value[j] == 0 || nonbasic && s.basic[j] {
			continue
		}
		for k, i := range col.at {
			left[i] -= col.value[k] * s.value[j]
		}
	}
	return left
}

func (s *simplex) artificial() float64 {
	sum := 0.0
	for _, v := range s.value[s.real:] {
		sum += v
	}
	return sum
}

// retire fixes the artificial variables at zero and takes out of the basis those
// that a real one can replace.
func (s *simplex) retire() {
	for i := range s.rows {
		s.value[s.real+i], s.upper[s.real+i] = 0, 0
	}
	for row, leaving := range s.basis {
		if leaving < s.real {
			continue
		}
		entering, most := -1, 1e-9
		for j := range s.real {
			if entry := math.Abs(s.columns[j].dot(s.inverse[row])); !s.basic[j] && entry > most {
				entering, most = j, entry
			}
		}
		if entering >= 0 {
			s.exchange(row, entering, s.direction(entering))
		}
	}
}

func (s *simplex) prices(cost []float64) []float64 {
	y := make([]float64, s.rows)
	for i, j := range s.basis {
		if cost[j] == 0 {
			continue
		}
		for k, v := range s.inverse[i] {
			y[k] += cost[j] * v
		}
	}
	return y
}

func (s *simplex) vertex(cost []float64) LinearSolution {
	full := make([]float64, len(s.lower))
	copy(full, cost)
	v := LinearSolution{Point: append([]float64{}, s.value[:s.real]...), DualPrices: s.prices(full), Basis: append([]int{}, s.basis...), Pivots: s.pivots}
	for j, c := range cost {
		v.Value += c * v.Point[j]
	}
	return v
}

func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}
