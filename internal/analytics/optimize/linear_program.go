package optimize

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Constraints are the points z with
//
//	Rows z = Right,  Lower <= z <= Upper
//
// Each solver says whether bounds may be infinite.
type Constraints struct {
	Rows         [][]float64
	Right        []float64
	Lower, Upper []float64
}

// Size returns the number of variables.
func (c Constraints) Size() int { return len(c.Lower) }

func (c Constraints) check() error {
	n := len(c.Lower)
	if len(c.Upper) != n || len(c.Rows) != len(c.Right) {
		return fmt.Errorf("%w: %d lower and %d upper bounds, %d rows and %d right-hand sides", ErrMalformed, n, len(c.Upper), len(c.Rows), len(c.Right))
	}
	for i := range n {
		if c.Lower[i] > c.Upper[i] {
			return fmt.Errorf("%w: the minimum of variable %d, %g, exceeds its maximum, %g", ErrInfeasible, i, c.Lower[i], c.Upper[i])
		}
	}
	if len(c.Rows) == 0 {
		return fmt.Errorf("%w: no rows", ErrMalformed)
	}
	for i, row := range c.Rows {
		if len(row) != n {
			return fmt.Errorf("%w: row %d has %d of %d coefficients", ErrMalformed, i, len(row), n)
		}
	}
	return nil
}

// column has one variable's coefficients in the rows, without zeros.
type column struct {
	at    []int
	value []float64
}

func (c Constraints) columns() []column {
	out := make([]column, c.Size())
	for i, row := range c.Rows {
		for j, v := range row {
			if v != 0 {
				out[j].at = append(out[j].at, i)
				out[j].value = append(out[j].value, v)
			}
		}
	}
	return out
}

// dot returns the product of the column and a vector with one entry per row.
func (c column) dot(y []float64) float64 {
	sum := 0.0
	for k, i := range c.at {
		sum += c.value[k] * y[i]
	}
	return sum
}

// subtract subtracts the column times z from a vector with one entry per row.
func (c column) subtract(z float64, from []float64) {
	for k, i := range c.at {
		from[i] -= c.value[k] * z
	}
}

// LinearSolution is a solution of a linear program at a corner of its constraints.
type LinearSolution struct {
	Point []float64
	Value float64
	// DualPrices are the multipliers of the rows: the gain in Value per unit of the right side.
	DualPrices []float64
	// Basis lists a variable for each row; the others are at a bound, or at zero without bounds.
	Basis []int
}

const (
	// feasibilityTolerance is the error allowed in a row, relative to its size.
	feasibilityTolerance = 1e-9
	// minPivot is the smallest entry used as a divisor.
	minPivot = 1e-9
	// stallLimit is the number of steps without progress before Bland's rule applies, which is slow but
	// always terminates.
	stallLimit = 40
)

// SolveLinear minimizes cost z over the constraints, whose bounds may be infinite, by the simplex
// method for bounded variables. Artificial variables find a first corner, the steepest reduced cost
// chooses the entering variable, and Bland's rule takes over if steps stall, so that it terminates.
// Source: V. Chvatal, "Linear Programming", 1983, chapters 3 and 8.
//
// The error is ErrInfeasible or ErrUnbounded if there is no optimum.
func SolveLinear(cost []float64, c Constraints) (LinearSolution, error) {
	if err := c.check(); err != nil {
		return LinearSolution{}, err
	}
	n, m := c.Size(), len(c.Rows)
	if len(cost) != n {
		return LinearSolution{}, fmt.Errorf("%w: %d costs for %d variables", ErrMalformed, len(cost), n)
	}
	s := newSimplex(c)
	phase := make([]float64, n+m)
	for j := n; j < n+m; j++ {
		phase[j] = 1
	}
	if _, err := s.minimize(phase); err != nil {
		return LinearSolution{}, err
	}
	if gap := sum(s.value[n:]); gap > feasibilityTolerance*(1+largest(c.Right)) {
		return LinearSolution{}, fmt.Errorf("%w: by %.3g", ErrInfeasible, gap)
	}
	if err := s.retireArtificial(n); err != nil {
		return LinearSolution{}, err
	}
	copy(phase, cost)
	clear(phase[n:])
	prices, err := s.minimize(phase)
	if err != nil {
		return LinearSolution{}, err
	}
	point := s.value[:n]
	return LinearSolution{Point: point, Value: Dot(cost, point), DualPrices: prices, Basis: s.basis}, nil
}

// simplex is the state of the method. The variables of the program come first, then one artificial variable
// for each row.
type simplex struct {
	columns             []column
	lower, upper, value []float64
	basis               []int  // variable of each row
	basic               []bool // by variable
	factors             mat.LU // of the columns of the basis
}

func newSimplex(c Constraints) *simplex {
	n, m := c.Size(), len(c.Rows)
	s := &simplex{
		columns: c.columns(), value: make([]float64, n+m), basis: make([]int, m), basic: make([]bool, n+m),
		lower: append(append([]float64{}, c.Lower...), make([]float64, m)...), upper: append([]float64{}, c.Upper...),
	}
	left := append([]float64{}, c.Right...)
	for j := range n {
		switch {
		case !math.IsInf(s.lower[j], 0):
			s.value[j] = s.lower[j]
		case !math.IsInf(s.upper[j], 0):
			s.value[j] = s.upper[j]
		}
		s.columns[j].subtract(s.value[j], left)
	}
	for i := range m {
		s.columns = append(s.columns, column{at: []int{i}, value: []float64{math.Copysign(1, left[i])}})
		s.upper = append(s.upper, math.Inf(1))
		s.value[n+i], s.basis[i], s.basic[n+i] = math.Abs(left[i]), n+i, true
	}
	return s
}

// factorize prepares solve for the columns of the basis.
func (s *simplex) factorize() {
	m := len(s.basis)
	b := mat.NewDense(m, m, nil)
	for k, j := range s.basis {
		for e, i := range s.columns[j].at {
			b.Set(i, k, s.columns[j].value[e])
		}
	}
	s.factors.Factorize(b)
}

// solve solves B x = right, or B' x = right, where B are the columns of the basis.
func (s *simplex) solve(transposed bool, right []float64) ([]float64, error) {
	out := mat.NewVecDense(len(right), nil)
	err := s.factors.SolveVecTo(out, transposed, mat.NewVecDense(len(right), right))
	var condition mat.Condition
	if err != nil && (!errors.As(err, &condition) || math.IsInf(float64(condition), 1)) {
		return nil, fmt.Errorf("simplex: %w: %w", ErrNotConverged, err)
	}
	return out.RawVector().Data, nil
}

// direction returns how the basic variables change per unit of the variable.
func (s *simplex) direction(j int) ([]float64, error) {
	right := make([]float64, len(s.basis))
	s.columns[j].subtract(-1, right)
	return s.solve(false, right)
}

// retireArtificial fixes the artificial variables, which start at index n, at zero and replaces them in the
// basis where possible.
func (s *simplex) retireArtificial(n int) error {
	clear(s.value[n:])
	clear(s.upper[n:])
	for row, leaving := range s.basis {
		if leaving < n {
			continue
		}
		s.factorize()
		unit := make([]float64, len(s.basis))
		unit[row] = 1
		line, err := s.solve(true, unit)
		if err != nil {
			return err
		}
		entering, most := -1, minPivot
		for j := range n {
			if entry := math.Abs(s.columns[j].dot(line)); !s.basic[j] && entry > most {
				entering, most = j, entry
			}
		}
		if entering >= 0 {
			s.exchange(row, entering)
		}
	}
	return nil
}

func (s *simplex) exchange(row, entering int) {
	s.basic[s.basis[row]], s.basic[entering] = false, true
	s.basis[row] = entering
}

// minimize moves from corner to corner until no variable lowers the cost, and returns the dual prices of
// the rows there.
func (s *simplex) minimize(cost []float64) ([]float64, error) {
	tolerance := 1e-10 * max(largest(cost), 1e-300)
	stalled := 0
	for range 200*(len(s.basis)+10) + 20*len(s.columns) {
		s.factorize()
		basic := make([]float64, len(s.basis))
		for i, j := range s.basis {
			basic[i] = cost[j]
		}
		prices, err := s.solve(true, basic)
		if err != nil {
			return nil, err
		}
		bland := stalled > stallLimit
		entering, sign := s.entering(cost, prices, tolerance, bland)
		if entering < 0 {
			return prices, nil
		}
		step, err := s.advance(entering, sign, bland)
		if err != nil {
			return nil, err
		}
		if stalled++; step > 1e-13 {
			stalled = 0
		}
	}
	return nil, fmt.Errorf("simplex: %w", ErrNotConverged)
}

// entering returns a variable that lowers the cost, and its direction, or -1.
func (s *simplex) entering(cost, prices []float64, tolerance float64, bland bool) (variable int, sign float64) {
	variable, most := -1, tolerance
	for j, col := range s.columns {
		if s.basic[j] || s.lower[j] == s.upper[j] {
			continue
		}
		reduced := cost[j] - col.dot(prices)
		up := reduced < 0 && s.value[j] < s.upper[j]
		down := reduced > 0 && s.value[j] > s.lower[j]
		if math.Abs(reduced) <= most || !up && !down {
			continue
		}
		variable, sign = j, -math.Copysign(1, reduced)
		if bland {
			return variable, sign
		}
		most = math.Abs(reduced)
	}
	return variable, sign
}

// advance increases the entering variable until a constraint or bound stops it.
func (s *simplex) advance(entering int, sign float64, bland bool) (step float64, err error) {
	d, err := s.direction(entering)
	if err != nil {
		return 0, err
	}
	step, row := s.upper[entering]-s.lower[entering], -1
	for i, j := range s.basis {
		limit := math.Inf(1)
		switch rate := -sign * d[i]; {
		case rate < -minPivot:
			limit = max(0, (s.value[j]-s.lower[j])/-rate)
		case rate > minPivot:
			limit = max(0, (s.upper[j]-s.value[j])/rate)
		}
		// Of tied rows, the one with the larger pivot has less rounding error.
		tied := row >= 0 && limit <= step+1e-12
		better := tied && (bland && j < s.basis[row] || !bland && math.Abs(d[i]) > math.Abs(d[row]))
		if limit < step-1e-12 || better {
			step, row = min(step, limit), i
		}
	}
	if math.IsInf(step, 1) {
		return 0, ErrUnbounded
	}
	s.value[entering] += sign * step
	for i, j := range s.basis {
		s.value[j] -= sign * step * d[i]
	}
	// Set the variable that stopped the step exactly to its bound. With a rounding error it would be able
	// to move by that much again.
	stopped, rising := entering, sign > 0
	if row >= 0 {
		stopped, rising = s.basis[row], sign*d[row] < 0
		s.exchange(row, entering)
	}
	s.value[stopped] = s.lower[stopped]
	if rising {
		s.value[stopped] = s.upper[stopped]
	}
	return step, nil
}

func allFinite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}
