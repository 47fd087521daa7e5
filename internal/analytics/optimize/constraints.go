package optimize

import (
	"errors"
	"fmt"
	"math"
)

// What the errors of this package mean.
var (
	// ErrProgramInfeasible means that no point satisfies the constraints.
	ErrProgramInfeasible = errors.New("constraints contradict one another")
	// ErrProgramUnbounded means that the objective falls without end.
	ErrProgramUnbounded = errors.New("objective has no minimum")
	// ErrProgramNotConverged means that rounding kept the method from its end.
	ErrProgramNotConverged = errors.New("no optimum within the limit of steps")
	// ErrProgramMalformed means parts whose sizes do not fit, or that are not numbers.
	ErrProgramMalformed = errors.New("malformed program")
)

// Constraints are the points z with
//
//	Rows z = Right,  Lower <= z <= Upper
//
// Bounds may be infinite where the method says so.
type Constraints struct {
	Rows         [][]float64
	Right        []float64
	Lower, Upper []float64
}

// Size is the number of variables.
func (c Constraints) Size() int { return len(c.Lower) }

func (c Constraints) check() error {
	n := len(c.Lower)
	if len(c.Upper) != n || len(c.Rows) != len(c.Right) {
		return fmt.Errorf("%w: %d lower and %d upper bounds, %d rows and %d right sides", ErrProgramMalformed, n, len(c.Upper), len(c.Rows), len(c.Right))
	}
	for i := range n {
		if math.IsNaN(c.Lower[i]) || math.IsNaN(c.Upper[i]) {
			return fmt.Errorf("%w: bound of variable %d is not a number", ErrProgramMalformed, i)
		}
		if c.Lower[i] > c.Upper[i] {
			return fmt.Errorf("%w: variable %d is at least %g and at most %g", ErrProgramInfeasible, i, c.Lower[i], c.Upper[i])
		}
	}
	for i, row := range c.Rows {
		if len(row) != n || !allFinite(row...) || !allFinite(c.Right[i]) {
			return fmt.Errorf("%w: row %d has %d of %d coefficients or is not finite", ErrProgramMalformed, i, len(row), n)
		}
	}
	return nil
}

func allFinite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// column is one variable's part in the rows, without its zeros.
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

// dot is the column times a vector of as many entries as there are rows.
func (c column) dot(y []float64) float64 {
	sum := 0.0
	for k, i := range c.at {
		sum += c.value[k] * y[i]
	}
	return sum
}
