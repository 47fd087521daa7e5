package analytics

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// ErrConstant means returns that do not vary, so that nothing can vary with them.
var ErrConstant = errors.New("returns do not vary")

// constantTolerance is the scatter of returns that is nothing but rounding.
const constantTolerance = 1e-12

// Correlation is Pearson's coefficient of the simple returns of two runs:
//
//	sum (x[i]-mx)(y[i]-my) / sqrt( sum (x[i]-mx)^2 * sum (y[i]-my)^2 )
//
// from -1 to 1, with the number of returns that it is of. Base: returns between
// consecutive common observations; the runs come from series that Align brought
// to common dates, else the error is ErrUnaligned. It is linear: 0 does not mean
// that the two do not depend on each other. It needs four observations, else
// ErrTooFew, as any two returns correlate by 1 or -1; returns that do not vary are
// ErrConstant. Source: K. Pearson, "Notes on Regression and Inheritance in the
// Case of Two Parents", 1895.
func Correlation(a, b Prices) (r float64, returns int, err error) {
	if a.Len() != b.Len() {
		return 0, 0, fmt.Errorf("correlation of %d with %d observations: %w", a.Len(), b.Len(), ErrUnaligned)
	}
	if err := a.requireLen(4); err != nil {
		return 0, 0, fmt.Errorf("correlation: %w", err)
	}
	x, y := a.Returns(), b.Returns()
	if stat.StdDev(x, nil) < constantTolerance || stat.StdDev(y, nil) < constantTolerance {
		return 0, 0, fmt.Errorf("correlation: %w", ErrConstant)
	}
	// Rounding may carry a perfect correlation beyond 1.
	return max(-1, min(1, stat.Correlation(x, y, nil))), len(x), nil
}

// Rebased are the prices as they would be had the first one been base:
//
//	base * P[i] / P[0]
//
// so that runs in different units and currencies can be drawn on one axis.
func (p Prices) Rebased(base float64) []float64 {
	out := make([]float64, len(p.values))
	for i, v := range p.values {
		out[i] = base * v / p.values[0]
	}
	return out
}
