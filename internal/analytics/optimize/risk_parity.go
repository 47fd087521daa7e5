package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// RiskParity returns the weights at which each asset contributes its share of the volatility; nil means
// equal shares. All weights are positive:
//
//	w[i] (C w)[i] / (w' C w) = share[i]
//
// They are the unique minimum of w'Cw/2 - sum(share log w), found by cyclic coordinate descent,
// each step in closed form, until every share is exact to 1e-10, then scaled to sum to one. Shares
// that are not positive, or do not sum to one, are ErrMalformed. Source: T. Griveau-Billion, J.-C.
// Richard and T. Roncalli, "A Fast Algorithm for Computing High-dimensional Risk Parity
// Portfolios", 2013.
func RiskParity(covariance mat.Symmetric, shares []float64) ([]float64, error) {
	n := covariance.SymmetricDim()
	if shares == nil {
		shares = EqualWeights(n)
	}
	if err := checkShares(shares, n); err != nil {
		return nil, err
	}
	if err := checkPositiveDefinite(covariance); err != nil {
		return nil, err
	}
	x, slope := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = math.Sqrt(shares[i] / covariance.At(i, i))
	}
	for range 10000 {
		for i := range slope {
			slope[i] = 0
			for j, v := range x {
				slope[i] += covariance.At(i, j) * v
			}
		}
		if contributionError(x, slope, shares) < 1e-10 {
			total := sum(x)
			for i := range x {
				x[i] /= total
			}
			return x, nil
		}
		sweepCoordinates(covariance, shares, x, slope)
	}
	return nil, fmt.Errorf("risk parity: %w", ErrNotConverged)
}

// sweepCoordinates moves each coordinate once to its own minimum, and keeps slope equal to C x.
func sweepCoordinates(covariance mat.Symmetric, shares, x, slope []float64) {
	for i := range x {
		own := covariance.At(i, i)
		others := slope[i] - own*x[i]
		next := (math.Sqrt(others*others+4*own*shares[i]) - others) / (2 * own)
		for j := range slope {
			slope[j] += covariance.At(i, j) * (next - x[i])
		}
		x[i] = next
	}
}

// contributionError returns the largest difference between a contribution and its share.
func contributionError(x, slope, shares []float64) float64 {
	worst := 0.0
	variance := Dot(x, slope)
	for i, v := range x {
		worst = max(worst, math.Abs(v*slope[i]/variance-shares[i]))
	}
	return worst
}

func checkShares(shares []float64, n int) error {
	if len(shares) != n {
		return fmt.Errorf("%w: %d risk shares for %d assets", ErrMalformed, len(shares), n)
	}
	for i, s := range shares {
		if !(s > 0) {
			return fmt.Errorf("%w: risk share %v of asset %d must be above zero", ErrMalformed, s, i)
		}
	}
	if total := sum(shares); math.Abs(total-1) > weightTolerance {
		return fmt.Errorf("%w: risk shares sum to %.6g instead of 1", ErrMalformed, total)
	}
	return nil
}
