package optimize

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// minPivot is the smallest entry that may be divided by.
	minPivot = 1e-9
	// refreshInterval is the number of exchanges after which the inverse is computed
	// anew, as each adds its rounding.
	refreshInterval = 64
	// stallLimit is the number of standing steps after which Bland's rule, slow
	// but finite, chooses.
	stallLimit = 40
)

// minimize walks from corner to corner until no reduced cost points down.
func (s *simplex) minimize(cost []float64) error {
	tolerance := 1e-10 * max(largest(cost), 1e-300)
	standing := 0
	for range 200*(s.rows+10) + 20*len(s.columns) {
		bland := standing > stallLimit
		entering, sign := s.entering(cost, tolerance, bland)
		if entering < 0 {
			return nil
		}
		step, err := s.advance(entering, sign, bland)
		if err != nil {
			return err
		}
		if standing++; step > 1e-13 {
			standing = 0
		}
		if s.pivots%refreshInterval == refreshInterval-1 {
			if err := s.refresh(); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("simplex: %w", ErrProgramNotConverged)
}

// entering chooses a variable that lowers the cost and the direction in which it
// does, or -1.
func (s *simplex) entering(cost []float64, tolerance float64, bland bool) (variable int, sign float64) {
	y := s.prices(cost)
	variable, most := -1, tolerance
	for j, col := range s.columns {
		if s.basic[j] || s.lower[j] == s.upper[j] {
			continue
		}
		reduced := cost[j] - col.dot(y)
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

// direction is how the basic variables answer to a unit of the variable.
func (s *simplex) direction(j int) []float64 {
	out := make([]float64, s.rows)
	for i := range out {
		out[i] = s.columns[j].dot(s.inverse[i])
	}
	return out
}

// advance moves the entering variable until something stops it.
func (s *simplex) advance(entering int, sign float64, bland bool) (step float64, err error) {
	d := s.direction(entering)
	step, row := s.upper[entering]-s.lower[entering], -1
	for i, j := range s.basis {
		limit := s.stepLimit(j, -sign*d[i])
		ahead := limit < step-1e-12
		tied := !ahead && limit <= step+1e-12 && row >= 0
		if ahead || tied && s.preferred(i, row, d, bland) {
			step, row = min(step, limit), i
		}
	}
	if math.IsInf(step, 1) {
		return 0, ErrProgramUnbounded
	}
	s.value[entering] += sign * step
	for i, j := range s.basis {
		s.value[j] -= sign * step * d[i]
	}
	if row < 0 {
		// It ran from one of its bounds to the other, and must stand on it to the
		// last digit: a hair below, it would run on by as much again.
		s.value[entering] = s.lower[entering]
		if sign > 0 {
			s.value[entering] = s.upper[entering]
		}
		s.pivots++
		return step, nil
	}
	leaving := s.basis[row]
	if sign*d[row] > 0 {
		s.value[leaving] = s.lower[leaving]
	} else {
		s.value[leaving] = s.upper[leaving]
	}
	s.exchange(row, entering, d)
	return step, nil
}

// stepLimit is how far a basic variable lets the entering one go.
func (s *simplex) stepLimit(j int, rate float64) float64 {
	switch {
	case rate < -minPivot:
		return max(0, (s.value[j]-s.lower[j])/-rate)
	case rate > minPivot:
		return max(0, (s.upper[j]-s.value[j])/rate)
	}
	return math.Inf(1)
}

// preferred breaks a tie between two rows: by the larger pivot, which rounds
// less, or by Bland's rule.
func (s *simplex) preferred(i, row int, d []float64, bland bool) bool {
	if bland {
		return s.basis[i] < s.basis[row]
	}
	return math.Abs(d[i]) > math.Abs(d[row])
}

// exchange puts a variable into the basis in a row's place, by one elimination of
// the inverse.
func (s *simplex) exchange(row, entering int, d []float64) {
	pivot := s.inverse[row]
	for k := range pivot {
		pivot[k] /= d[row]
	}
	for i, line := range s.inverse {
		if i == row || d[i] == 0 {
			continue
		}
		for k, v := range pivot {
			line[k] -= d[i] * v
		}
	}
	s.basic[s.basis[row]], s.basic[entering] = false, true
	s.basis[row] = entering
	s.pivots++
}

// refresh computes the inverse and the basic variables from the data.
func (s *simplex) refresh() error {
	s.pivots++
	b := mat.NewDense(s.rows, s.rows, nil)
	for k, j := range s.basis {
		for e, i := range s.columns[j].at {
			b.Set(i, k, s.columns[j].value[e])
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(b); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) || math.IsInf(float64(condition), 1) {
			return fmt.Errorf("simplex: %w: %w", ErrProgramNotConverged, err)
		}
	}
	left := s.residual(true)
	for i, j := range s.basis {
		copy(s.inverse[i], inverse.RawRowView(i))
		value := 0.0
		for k, v := range s.inverse[i] {
			value += v * left[k]
		}
		s.value[j] = value
	}
	return nil
}
