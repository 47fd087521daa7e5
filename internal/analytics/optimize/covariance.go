package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// SampleCovariance returns the annualized sample covariance of the returns:
//
//	sum((x - mean x)(y - mean y)) / (n - 1) * frequency
//
// It is singular unless there are more returns than assets. Source: PyPortfolioOpt, sample_cov.
func (s Sample) SampleCovariance() (*mat.SymDense, error) {
	var out mat.SymDense
	stat.CovarianceMatrix(&out, s.returns, nil)
	out.ScaleSym(s.frequency, &out)
	return &out, s.checkVariance(&out)
}

// ExponentialCovariance gives later periods more weight: each has (1 - a) times the weight of the next,
// with a = 2/(span + 1):
//
//	sum(k^i (x - mean x)(y - mean y)) / sum(k^i) * frequency,  k = 1 - a
//
// where i counts back from the last period and means are not weighted. A span below one is ErrMalformed.
// Source: PyPortfolioOpt, exp_cov, with a default span of 180.
func (s Sample) ExponentialCovariance(span float64) (*mat.SymDense, error) {
	if !(span >= 1) || math.IsInf(span, 0) {
		return nil, fmt.Errorf("%w: span %v of the exponential covariance must be at least 1", ErrMalformed, span)
	}
	x := s.centeredReturns()
	periods := s.Periods()
	keep, total := 1-2/(span+1), 0.0
	weight := 1.0
	for i := periods - 1; i >= 0; i-- {
		total += weight
		row := x.RawRowView(i)
		for j := range row {
			row[j] *= math.Sqrt(weight)
		}
		weight *= keep
	}
	var out mat.SymDense
	out.SymOuterK(s.frequency/total, x.T())
	return &out, s.checkVariance(&out)
}

// LedoitWolf shrinks the covariance toward a scaled identity (mean variance, no correlation) by a fraction
// d estimated from the returns:
//
//	((1 - d) S + d trace(S)/p I) * frequency,  S = sum((x - mean x)(y - mean y)) / n
//	d = min(1, sum over i, j of var(S[i,j]) / |S - trace(S)/p I|^2)
//
// It is positive definite even with fewer returns than assets. Source: O. Ledoit and M. Wolf, "A
// well-conditioned estimator for large-dimensional covariance matrices", 2004; the target
// constant_variance of PyPortfolioOpt.
func (s Sample) LedoitWolf() (covariance *mat.SymDense, shrinkage float64, err error) {
	x := s.centeredReturns()
	n, p := float64(s.Periods()), float64(s.Assets())
	var out mat.SymDense
	out.SymOuterK(1/n, x.T())
	if err := s.checkVariance(&out); err != nil {
		return nil, 0, err
	}
	mean := mat.Trace(&out) / p
	squared := mat.Norm(&out, 2) * mat.Norm(&out, 2)
	distance := squared - p*mean*mean
	fourth := 0.0
	for i := range s.Periods() {
		row := x.RawRowView(i)
		length := 0.0
		for _, v := range row {
			length += v * v
		}
		fourth += length * length
	}
	noise := (fourth/n - squared) / n
	// A single asset, or equal and uncorrelated ones, already equal the target.
	if distance > 1e-15*squared {
		shrinkage = max(0, min(1, noise/distance))
	}
	for i := range s.Assets() {
		for j := range i {
			out.SetSym(i, j, (1-shrinkage)*out.At(i, j))
		}
		out.SetSym(i, i, (1-shrinkage)*out.At(i, i)+shrinkage*mean)
	}
	out.ScaleSym(s.frequency, &out)
	return &out, shrinkage, nil
}

// centeredReturns returns the returns less their means.
func (s Sample) centeredReturns() *mat.Dense {
	x := mat.DenseCopyOf(s.returns)
	for j := range s.Assets() {
		column := mat.Col(nil, j, x)
		mean := stat.Mean(column, nil)
		for i, v := range column {
			x.Set(i, j, v-mean)
		}
	}
	return x
}

// checkVariance returns ErrConstantReturns for an asset without variance: it would receive all
// weight, as if it were certain.
func (s Sample) checkVariance(covariance mat.Symmetric) error {
	for j := range s.Assets() {
		if !(covariance.At(j, j) > varianceTolerance*s.frequency) {
			return fmt.Errorf("asset %d: %w", j, ErrConstantReturns)
		}
	}
	return nil
}

// Volatility returns the standard deviation of a portfolio: sqrt(w' C w).
func Volatility(weights []float64, covariance mat.Symmetric) float64 {
	w := mat.NewVecDense(len(weights), weights)
	return math.Sqrt(max(0, mat.Inner(w, covariance, w)))
}

// RiskContributions returns the fraction of a portfolio's volatility that comes from each asset. The
// fractions sum to one:
//
//	w[i] (C w)[i] / (w' C w)
//
// It returns nil for a portfolio without risk.
func RiskContributions(weights []float64, covariance mat.Symmetric) []float64 {
	w := mat.NewVecDense(len(weights), weights)
	var slope mat.VecDense
	slope.MulVec(covariance, w)
	variance := mat.Dot(w, &slope)
	if !(variance > 0) {
		return nil
	}
	out := make([]float64, len(weights))
	for i, v := range weights {
		out[i] = v * slope.AtVec(i) / variance
	}
	return out
}

// Dot returns the sum of products, such as the return of a portfolio.
func Dot(weights, values []float64) float64 {
	sum := 0.0
	for i, w := range weights {
		sum += w * values[i]
	}
	return sum
}

// checkPositiveDefinite returns ErrSingular unless the covariance is safely positive definite.
func checkPositiveDefinite(covariance mat.Symmetric) error {
	n := covariance.SymmetricDim()
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		if v := covariance.At(i, i); !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: variance %v of asset %d", ErrSingular, v, i)
		}
	}
	for i := range n {
		for j := range i + 1 {
			scaled.SetSym(i, j, covariance.At(i, j)/math.Sqrt(covariance.At(i, i))/math.Sqrt(covariance.At(j, j)))
		}
	}
	var factor mat.Cholesky
	// Beyond this, rounding affects the weights more than the data do.
	const worst = 1e10
	if !factor.Factorize(scaled) || factor.Cond() > worst {
		return fmt.Errorf("%w: some combination of the %d assets would have no risk", ErrSingular, n)
	}
	return nil
}
