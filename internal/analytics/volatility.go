package analytics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// AnnualVolatility is how widely returns scatter around their mean, scaled to a
// year:
//
//	s * sqrt(k),  s = sqrt( sum (r[i]-mean)^2 / (n-1) )
//
// over the n simple returns of consecutive observations. Base: the sample
// standard deviation (divisor n-1). Annualised by the square root of the periods
// in a year (k: 252 daily, 12 monthly), which supposes that returns do not
// depend on one another. It needs three observations, else ErrTooFew.
// Source: J. Hull, "Options, Futures, and Other Derivatives", estimating
// volatility from historical data (Hull takes log returns; simple returns are
// what empyrical and most fund reports take); checked against empyrical.
func AnnualVolatility(p Prices) (float64, error) {
	if err := p.requireLen(3); err != nil {
		return 0, fmt.Errorf("volatility: %w", err)
	}
	perPeriod := stat.StdDev(p.Returns(), nil)
	return checkOverflow("volatility", perPeriod*math.Sqrt(p.interval.PeriodsPerYear()))
}
