package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// View is an opinion on the return of a mix of assets: 0.05 for the mix {A: 1, B: -1}
// says that A returns five points more than B.
type View struct {
	Mix    []float64 // a weight for each asset
	Return float64   // annual
	// Variance is the uncertainty of the view. Zero means the variance of the mix under the prior, tau Mix'
	// C Mix.
	Variance float64
}

// EquilibriumReturns returns the expected returns for which the given weights are optimal:
//
//	pi = aversion C weights + riskFree
//
// Source: F. Black and R. Litterman, "Global Portfolio Optimization", 1992;
// PyPortfolioOpt, market_implied_prior_returns.
func EquilibriumReturns(covariance mat.Symmetric, weights []float64, aversion, riskFree float64) ([]float64, error) {
	if len(weights) != covariance.SymmetricDim() || !(aversion > 0) {
		return nil, fmt.Errorf("%w: %d market weights for %d assets, risk aversion %v", ErrMalformed, len(weights), covariance.SymmetricDim(), aversion)
	}
	var out mat.VecDense
	out.MulVec(covariance, mat.NewVecDense(len(weights), weights))
	for i := range weights {
		out.SetVec(i, aversion*out.AtVec(i)+riskFree)
	}
	return out.RawVector().Data, nil
}

// IdzorekVariance returns the variance of a view with a confidence above 0 (almost ignored) and up to 1 (certain):
//
//	(1 - confidence)/confidence * tau Mix' C Mix
//
// Source: T. Idzorek, "A step-by-step guide to the Black-Litterman model", 2005, in
// the closed form of J. Walters, "The Black-Litterman Model in Detail", 2014.
func IdzorekVariance(covariance mat.Symmetric, mix []float64, tau, confidence float64) (float64, error) {
	if len(mix) != covariance.SymmetricDim() || !(confidence > 0 && confidence <= 1) || !(tau > 0) {
		return 0, fmt.Errorf("%w: confidence %v of a view must be above 0 and at most 1", ErrMalformed, confidence)
	}
	m := mat.NewVecDense(len(mix), mix)
	// A certain view would make the matrix singular if another view says the same. A variance of 1e-12
	// changes no result.
	return max(1e-12, (1-confidence)/confidence) * tau * mat.Inner(m, covariance, m), nil
}

// PosteriorReturns adjusts prior expected returns to views:
//
//	returns     pi + tau C P' (P tau C P' + O)^-1 (Q - P pi)
//	covariance  C + tau C - tau C P' (P tau C P' + O)^-1 P tau C
//
// P are the mixes, Q their returns, O the diagonal matrix of their variances, and tau the uncertainty of
// the prior (0.05 is usual). Views that are not finite, or that have no assets, are ErrMalformed. Source:
// Black and Litterman, 1992; the formulas as in Walters, 2014, and PyPortfolioOpt's BlackLittermanModel.
func PosteriorReturns(prior []float64, covariance mat.Symmetric, views []View, tau float64) ([]float64, *mat.SymDense, error) {
	n := covariance.SymmetricDim()
	if err := checkViews(prior, n, views, tau); err != nil {
		return nil, nil, err
	}
	if err := checkPositiveDefinite(covariance); err != nil {
		return nil, nil, err
	}
	k := len(views)
	p, gap := mat.NewDense(k, n, nil), mat.NewVecDense(k, nil)
	for i, v := range views {
		p.SetRow(i, v.Mix)
		gap.SetVec(i, v.Return-Dot(v.Mix, prior))
	}
	var spread, inner mat.Dense // tau C P', P tau C P' + O
	spread.Mul(covariance, p.T())
	spread.Scale(tau, &spread)
	inner.Mul(p, &spread)
	for i, v := range views {
		doubt := v.Variance
		if doubt == 0 {
			doubt = inner.At(i, i)
		}
		inner.Set(i, i, inner.At(i, i)+doubt)
	}
	var solved, shift mat.Dense
	if err := solved.Solve(&inner, spread.T()); err != nil {
		return nil, nil, fmt.Errorf("%w: the views are linearly dependent: %w", ErrMalformed, err)
	}
	shift.Mul(solved.T(), gap)
	returns := make([]float64, n)
	for i := range returns {
		returns[i] = prior[i] + shift.At(i, 0)
	}
	var learnt mat.Dense
	learnt.Mul(&spread, &solved)
	posterior := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			posterior.SetSym(i, j, (1+tau)*covariance.At(i, j)-(learnt.At(i, j)+learnt.At(j, i))/2)
		}
	}
	return returns, posterior, nil
}

func checkViews(prior []float64, n int, views []View, tau float64) error {
	if len(prior) != n || len(views) == 0 || !(tau > 0) || math.IsInf(tau, 0) {
		return fmt.Errorf("%w: %d prior returns for %d assets, %d views, tau %v", ErrMalformed, len(prior), n, len(views), tau)
	}
	for i, v := range views {
		if len(v.Mix) != n {
			return fmt.Errorf("%w: view %d has %d weights for %d assets", ErrMalformed, i+1, len(v.Mix), n)
		}
		size := 0.0
		for _, w := range v.Mix {
			size += math.Abs(w)
		}
		if !(size > 0) || math.IsInf(size, 0) || math.IsNaN(v.Return) || math.IsInf(v.Return, 0) || !(v.Variance >= 0) || math.IsInf(v.Variance, 0) {
			return fmt.Errorf("%w: view %d has no asset or is not a number", ErrMalformed, i+1)
		}
	}
	return nil
}
