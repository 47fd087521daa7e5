package optimize

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Limits are constraints on weights, in addition to their sum of one.
type Limits struct {
	Lower, Upper []float64
	Groups       []Group
	// Names are the asset names for errors; assets without one are numbered.
	Names []string
}

// Group limits the total weight of some assets, such as a sector.
type Group struct {
	Name     string
	Members  []int
	Min, Max float64
}

// LongOnly returns limits that allow each of n weights from 0 to 1.
func LongOnly(n int) Limits {
	l := Limits{Lower: make([]float64, n), Upper: make([]float64, n)}
	for i := range l.Upper {
		l.Upper[i] = 1
	}
	return l
}

// Size returns the number of assets.
func (l Limits) Size() int { return len(l.Lower) }

// Check returns ErrInfeasible if no weights satisfy the limits, naming the conflicting ones, and
// ErrMalformed for invalid limits.
func (l Limits) Check() error {
	if err := l.checkShape(); err != nil {
		return err
	}
	low, high := sum(l.Lower), sum(l.Upper)
	switch {
	case low > 1+weightTolerance:
		return fmt.Errorf("%w: the lower bounds sum to %.6g, but the weights must sum to 1", ErrInfeasible, low)
	case high < 1-weightTolerance:
		return fmt.Errorf("%w: the upper bounds sum to %.6g, but the weights must sum to 1", ErrInfeasible, high)
	}
	for _, g := range l.Groups {
		low, high := l.groupRange(g)
		switch {
		case g.Min > high+weightTolerance:
			return fmt.Errorf("%w: %s is at least %.6g, but the upper bounds of its assets sum to %.6g", ErrInfeasible, g.Name, g.Min, high)
		case g.Max < low-weightTolerance:
			return fmt.Errorf("%w: %s is at most %.6g, but the lower bounds of its assets sum to %.6g", ErrInfeasible, g.Name, g.Max, low)
		}
	}
	feasible, err := l.feasible()
	if err != nil || feasible {
		return err
	}
	return fmt.Errorf("%w: no weights within their bounds sum to 1 and satisfy the limits of %s", ErrInfeasible, strings.Join(l.conflictingGroups(), ", "))
}

// weightTolerance is the rounding error allowed in sums of bounds.
const weightTolerance = 1e-9

func (l Limits) checkShape() error {
	if len(l.Upper) != len(l.Lower) || len(l.Lower) == 0 {
		return fmt.Errorf("%w: %d lower and %d upper bounds", ErrMalformed, len(l.Lower), len(l.Upper))
	}
	for i, low := range l.Lower {
		if high := l.Upper[i]; low > high {
			return fmt.Errorf("%w: the minimum of %s, %.6g, exceeds its maximum, %.6g", ErrInfeasible, l.name(i), low, high)
		}
	}
	for _, g := range l.Groups {
		if len(g.Members) == 0 {
			return fmt.Errorf("%w: the limit of %s has no assets", ErrMalformed, g.Name)
		}
		if g.Min > g.Max {
			return fmt.Errorf("%w: the minimum of %s, %.6g, exceeds its maximum, %.6g", ErrInfeasible, g.Name, g.Min, g.Max)
		}
		for _, i := range g.Members {
			if i < 0 || i >= len(l.Lower) {
				return fmt.Errorf("%w: asset %d in %s is out of range", ErrMalformed, i, g.Name)
			}
		}
	}
	return nil
}

// groupRange returns the total weight of a group that its assets' bounds allow.
func (l Limits) groupRange(g Group) (low, high float64) {
	for _, i := range g.Members {
		low, high = low+l.Lower[i], high+l.Upper[i]
	}
	return low, high
}

// constraints returns the limits as rows: the sum of all weights, then each group with a slack that equals
// its sum.
func (l Limits) constraints() Constraints {
	n := len(l.Lower)
	size := n + len(l.Groups)
	budget := make([]float64, size)
	for i := range n {
		budget[i] = 1
	}
	c := Constraints{
		Rows: [][]float64{budget}, Right: []float64{1},
		Lower: append([]float64{}, l.Lower...), Upper: append([]float64{}, l.Upper...),
	}
	for k, g := range l.Groups {
		row := make([]float64, size)
		for _, i := range g.Members {
			row[i] = 1
		}
		row[n+k] = -1
		low, high := l.groupRange(g)
		c.Rows, c.Right = append(c.Rows, row), append(c.Right, 0)
		// A limit beyond the bounds has no effect; clamp it to keep the slack finite.
		least, most := max(g.Min, low), min(g.Max, high)
		c.Lower, c.Upper = append(c.Lower, min(least, most)), append(c.Upper, max(least, most))
	}
	return c
}

func (l Limits) feasible() (bool, error) {
	c := l.constraints()
	_, err := SolveLinear(make([]float64, c.Size()), c)
	if errors.Is(err, ErrInfeasible) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("limits: %w", err)
	}
	return true, nil
}

// conflictingGroups returns a minimal set of conflicting groups, without groups that the conflict does not
// depend on.
func (l Limits) conflictingGroups() []string {
	for i := 0; i < len(l.Groups); {
		without := l
		without.Groups = append(append([]Group{}, l.Groups[:i]...), l.Groups[i+1:]...)
		if feasible, err := without.feasible(); err == nil && !feasible {
			l = without
			continue
		}
		i++
	}
	names := make([]string, len(l.Groups))
	for i, g := range l.Groups {
		names[i] = fmt.Sprintf("%s (%.6g to %.6g)", g.Name, g.Min, g.Max)
	}
	return names
}

// Violation returns which limit the weights violate by more than 1e-6, or "".
func (l Limits) Violation(weights []float64) string {
	const slack = 1e-6
	for i, w := range weights {
		if w < l.Lower[i]-slack || w > l.Upper[i]+slack {
			return fmt.Sprintf("%s has a weight of %.6g; its bounds are %.6g to %.6g", l.name(i), w, l.Lower[i], l.Upper[i])
		}
	}
	for _, g := range l.Groups {
		total := 0.0
		for _, i := range g.Members {
			total += weights[i]
		}
		if total < g.Min-slack || total > g.Max+slack {
			return fmt.Sprintf("%s has a weight of %.6g; its limits are %.6g to %.6g", g.Name, total, g.Min, g.Max)
		}
	}
	return ""
}

// snapToBounds moves weights that are outside a bound because of rounding back to it. If the sum of weights
// is then wrong, the error is ErrNotConverged.
func (l Limits) snapToBounds(point []float64) ([]float64, error) {
	out := make([]float64, len(l.Lower))
	for i := range out {
		out[i] = min(max(point[i], l.Lower[i]), l.Upper[i])
		if math.Abs(out[i]) < 1e-12 {
			out[i] = 0
		}
	}
	if total := sum(out); !(math.Abs(total-1) < 10*weightTolerance) {
		return nil, fmt.Errorf("%w: weights sum to %.9g", ErrNotConverged, total)
	}
	return out, nil
}

func (l Limits) name(i int) string {
	if i < len(l.Names) {
		return l.Names[i]
	}
	return fmt.Sprintf("asset %d", i)
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
