package analytics

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Returns returns the simple returns from each observation to the next:
//
//	r[i] = P[i]/P[i-1] - 1
//
// There is one return fewer than prices, and none for a single price. Source: CFA Institute, "Rates and
// Returns", holding period return.
func (p Prices) Returns() []float64 {
	if len(p.values) < 2 {
		return nil
	}
	out := make([]float64, len(p.values)-1)
	for i := range out {
		out[i] = p.values[i+1]/p.values[i] - 1
	}
	return out
}

// TotalReturn returns the return from the first price to the last:
//
//	P[last]/P[first] - 1
//
// Base: the first price. Not annualized. Dividends count only if the series is adjusted for them. It needs
// two observations, else ErrTooFew. Source: CFA Institute, "Rates and Returns", holding period return.
func TotalReturn(p Prices) (float64, error) {
	if err := p.requireLen(2); err != nil {
		return 0, fmt.Errorf("total return: %w", err)
	}
	return checkOverflow("total return", p.values[len(p.values)-1]/p.values[0]-1)
}

// AnnualReturn returns the compound annual growth rate (CAGR) from the first price to the last:
//
//	(P[last]/P[first])^(1/years) - 1,  years = days between the dates / 365.25
//
// Base: the first price. Annualized by calendar days, so it is exact for dated prices whatever
// sessions were skipped. Empyrical and others use years = periods/252, which drifts if a year does
// not have 252 sessions. For less than a year it extrapolates; see Measure's warnings. It needs two
// observations, else ErrTooFew; a rate beyond float64 is ErrOutOfRange. Source: GIPS Standards
// 2020, annualized time-weighted return, with the exponent 365.25/days.
func AnnualReturn(p Prices) (float64, error) {
	if err := p.requireLen(2); err != nil {
		return 0, fmt.Errorf("annual return: %w", err)
	}
	growth := p.values[len(p.values)-1] / p.values[0]
	return checkOverflow("annual return", math.Pow(growth, 1/p.Years())-1)
}

// checkOverflow rejects infinite results and NaN.
func checkOverflow(what string, v float64) (float64, error) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("%s: %w", what, ErrOutOfRange)
	}
	return v, nil
}

// AnnualVolatility returns the standard deviation of returns, scaled to a year:
//
//	s * sqrt(k),  s = sqrt( sum (r[i]-mean)^2 / (n-1) )
//
// over the n simple returns of consecutive observations. Base: the sample standard deviation
// (divisor n-1). Annualized by the square root of the periods per year (k: 252 daily, 12 monthly),
// which assumes independent returns. It needs three observations, else ErrTooFew. Source: J. Hull,
// "Options, Futures, and Other Derivatives", estimating volatility from historical data (Hull uses
// log returns; empyrical and most fund reports use simple returns); checked against empyrical.
func AnnualVolatility(p Prices) (float64, error) {
	if err := p.requireLen(3); err != nil {
		return 0, fmt.Errorf("volatility: %w", err)
	}
	perPeriod := stat.StdDev(p.Returns(), nil)
	return checkOverflow("volatility", perPeriod*math.Sqrt(p.interval.PeriodsPerYear()))
}

// ErrConstant means that returns do not vary, so there is no correlation.
var ErrConstant = errors.New("returns do not vary")

// constantTolerance is the standard deviation of returns that differ only by rounding.
const constantTolerance = 1e-12

// Correlation returns Pearson's coefficient of the simple returns of two series:
//
//	sum (x[i]-mx)(y[i]-my) / sqrt( sum (x[i]-mx)^2 * sum (y[i]-my)^2 )
//
// from -1 to 1, with the number of returns. Base: returns between consecutive common observations;
// use Align first, else the error is ErrUnaligned. It is linear: 0 does not imply independence. It
// needs four observations, else ErrTooFew, because any two returns correlate by 1 or -1. Constant
// returns are ErrConstant. Source: K. Pearson, "Notes on Regression and Inheritance in the Case of
// Two Parents", 1895.
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
	// Rounding may take a perfect correlation beyond 1.
	return max(-1, min(1, stat.Correlation(x, y, nil))), len(x), nil
}

// Rebased returns the prices scaled so that the first one is base, so that different units and
// currencies fit on one axis:
//
//	base * P[i] / P[0]
func (p Prices) Rebased(base float64) []float64 {
	out := make([]float64, len(p.values))
	for i, v := range p.values {
		out[i] = base * v / p.values[0]
	}
	return out
}
