package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// MinVolatility returns the weights with the lowest variance within the limits, found by an active set
// method. It needs a positive definite covariance, else ErrSingular. Source: H. Markowitz, "Portfolio
// Selection", 1952.
func MinVolatility(covariance mat.Symmetric, l Limits) ([]float64, error) {
	q, err := newQuadraticProgram(covariance, l)
	if err != nil {
		return nil, err
	}
	o, err := q.Minimize(make([]float64, q.Constraints.Size()))
	if err != nil {
		return nil, fmt.Errorf("minimum volatility: %w", err)
	}
	return l.snapToBounds(o.Point)
}

func newQuadraticProgram(covariance mat.Symmetric, l Limits) (QuadraticProgram, error) {
	if n := covariance.SymmetricDim(); n != l.Size() {
		return QuadraticProgram{}, fmt.Errorf("%w: covariance of %d assets, but limits for %d", ErrMalformed, n, l.Size())
	}
	if err := l.Check(); err != nil {
		return QuadraticProgram{}, err
	}
	if err := checkPositiveDefinite(covariance); err != nil {
		return QuadraticProgram{}, err
	}
	return QuadraticProgram{Curvature: covariance, Constraints: l.constraints()}, nil
}

// Frontier is the set of efficient portfolios: no other portfolio has a higher return at the same risk. It
// runs from the lowest volatility to the highest expected return, in straight lines between neighboring
// corners. It is immutable.
type Frontier struct {
	corners    []Portfolio
	covariance mat.Symmetric
}

// Portfolio is a set of weights with its expected annual figures.
type Portfolio struct {
	Weights    []float64
	Return     float64 // sum(w mu)
	Volatility float64 // sqrt(w' C w)
}

// Sharpe returns the excess return per unit of volatility: (return - riskFree) / volatility.
func (p Portfolio) Sharpe(riskFree float64) float64 { return (p.Return - riskFree) / p.Volatility }

// NewFrontier computes the frontier by the critical line method. Its errors are those of MinVolatility.
// Source: H. Markowitz, "The Optimization of a Quadratic Function Subject to Linear Constraints", 1956.
func NewFrontier(expected []float64, covariance mat.Symmetric, l Limits) (*Frontier, error) {
	q, err := newQuadraticProgram(covariance, l)
	if err != nil {
		return nil, err
	}
	if len(expected) != l.Size() {
		return nil, fmt.Errorf("%w: %d expected returns for %d assets", ErrMalformed, len(expected), l.Size())
	}
	direction := make([]float64, q.Constraints.Size())
	copy(direction, expected)
	corners, err := q.CriticalLine(direction)
	if err != nil {
		return nil, fmt.Errorf("efficient frontier: %w", err)
	}
	f := &Frontier{covariance: covariance}
	for _, c := range corners {
		weights, err := l.snapToBounds(c.Point)
		if err != nil {
			return nil, fmt.Errorf("efficient frontier: %w", err)
		}
		f.corners = append(f.corners, Portfolio{Weights: weights, Return: Dot(weights, expected), Volatility: Volatility(weights, covariance)})
	}
	return f, nil
}

// MinVolatility returns the portfolio with the lowest volatility.
func (f *Frontier) MinVolatility() Portfolio { return f.corners[0] }

// MaxReturn returns the portfolio with the highest expected return, and among equals the one with
// the lowest volatility.
func (f *Frontier) MaxReturn() Portfolio { return f.corners[len(f.corners)-1] }

// Corners returns the portfolios at which an asset enters, leaves or reaches a bound, from
// MinVolatility to MaxReturn.
func (f *Frontier) Corners() []Portfolio { return append([]Portfolio{}, f.corners...) }

// interpolate returns the portfolio at a fraction of the way from corner i to the next.
func (f *Frontier) interpolate(i int, part float64) Portfolio {
	a, b := f.corners[i], f.corners[i+1]
	p := Portfolio{Weights: make([]float64, len(a.Weights)), Return: a.Return + part*(b.Return-a.Return)}
	for j, w := range a.Weights {
		p.Weights[j] = w + part*(b.Weights[j]-w)
	}
	p.Volatility = Volatility(p.Weights, f.covariance)
	return p
}

// WithReturn returns the efficient portfolio with an expected return. A return below that of
// MinVolatility yields MinVolatility, which has more return and less risk; one above that of
// MaxReturn is ErrInfeasible.
func (f *Frontier) WithReturn(target float64) (Portfolio, error) {
	if most := f.MaxReturn().Return; target > most+1e-12 {
		return Portfolio{}, fmt.Errorf("%w: an expected return of %.6g is above %.6g, the highest within the limits", ErrInfeasible, target, most)
	}
	if target <= f.MinVolatility().Return {
		return f.MinVolatility(), nil
	}
	for i, b := range f.corners[1:] {
		if a := f.corners[i]; b.Return >= target && b.Return > a.Return {
			return f.interpolate(i, (target-a.Return)/(b.Return-a.Return)), nil
		}
	}
	return f.MaxReturn(), nil
}

// WithVolatility returns the portfolio with the highest expected return whose volatility is at most the
// limit. A limit above the volatility of MaxReturn yields MaxReturn; one below that of MinVolatility is
// ErrInfeasible.
func (f *Frontier) WithVolatility(maxVolatility float64) (Portfolio, error) {
	if least := f.MinVolatility().Volatility; maxVolatility < least-1e-12 {
		return Portfolio{}, fmt.Errorf("%w: a volatility of at most %.6g is below %.6g, the lowest within the limits", ErrInfeasible, maxVolatility, least)
	}
	for i, b := range f.corners[1:] {
		if b.Volatility > maxVolatility {
			return f.interpolate(i, f.crossing(i, maxVolatility)), nil
		}
	}
	return f.MaxReturn(), nil
}

// crossing returns the fraction of the way from corner i to the next at which the portfolio reaches the
// volatility. The variance rises quadratically on the way.
func (f *Frontier) crossing(i int, volatility float64) float64 {
	va, half, vd := f.varianceParabola(i)
	// Solves vd t^2 + 2 half t = rise in the form without cancellation.
	rise := max(0, volatility*volatility-va)
	root := half + math.Sqrt(half*half+vd*rise)
	if !(root > 0) {
		return 0
	}
	return max(0, min(1, rise/root))
}

// varianceParabola returns the variance on the way from corner i to the next as va + 2 half t + vd
// t^2.
func (f *Frontier) varianceParabola(i int) (va, half, vd float64) {
	a := f.corners[i]
	step := make([]float64, len(a.Weights))
	for j, w := range f.corners[i+1].Weights {
		step[j] = w - a.Weights[j]
	}
	d, w := mat.NewVecDense(len(step), step), mat.NewVecDense(len(step), a.Weights)
	return a.Volatility * a.Volatility, mat.Inner(w, f.covariance, d), mat.Inner(d, f.covariance, d)
}

// MaxSharpe returns the portfolio with the highest ratio of excess return to volatility. If no portfolio
// has an excess return, the error is ErrNoExcess. On the line between two corners the ratio has its maximum
// at
//
//	t = (rd va - ra h) / (ra vd - rd h)
//
// for an excess return ra + t rd and a variance va + 2 h t + vd t^2. Source: W.
// Sharpe, "The Sharpe Ratio", 1994.
func (f *Frontier) MaxSharpe(riskFree float64) (Portfolio, error) {
	if most := f.MaxReturn().Return; !(most > riskFree) {
		return Portfolio{}, fmt.Errorf("%w: the highest expected return is %.6g, the risk-free rate %.6g", ErrNoExcess, most, riskFree)
	}
	best := f.MaxReturn()
	for i, b := range f.corners[1:] {
		a := f.corners[i]
		va, half, vd := f.varianceParabola(i)
		ra, rd := a.Return-riskFree, b.Return-a.Return
		part := 0.0
		if below := ra*vd - rd*half; below != 0 {
			part = max(0, min(1, (rd*va-ra*half)/below))
		}
		for _, t := range []float64{0, part} {
			if p := f.interpolate(i, t); p.Sharpe(riskFree) > best.Sharpe(riskFree) {
				best = p
			}
		}
	}
	return best, nil
}

// Points returns n portfolios from MinVolatility to MaxReturn, in equal steps of expected
// return. It returns only MinVolatility if no portfolio returns more.
func (f *Frontier) Points(n int) ([]Portfolio, error) {
	low, high := f.MinVolatility().Return, f.MaxReturn().Return
	if n < 2 || high <= low {
		return []Portfolio{f.MinVolatility()}, nil
	}
	out := make([]Portfolio, n)
	for i := range out {
		if i == n-1 {
			out[i] = f.MaxReturn()
			break
		}
		var err error
		if out[i], err = f.WithReturn(low + (high-low)*float64(i)/float64(n-1)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
