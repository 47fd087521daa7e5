package analytics

import (
	"fmt"
	"math"
)

// Sharpe returns mean(r - f) / s(r - f) * sqrt(k): the mean return above the risk-free rate per period
// divided by its sample standard deviation, annualized by the square root of the periods per year. Source:
// W. F. Sharpe, The Sharpe Ratio (1994); empyrical sharpe_ratio.
func Sharpe(returns []float64, riskFree, periodsPerYear float64) (float64, error) {
	excess := excessReturns(returns, riskFree)
	sd, err := sampleDeviation("Sharpe ratio", excess)
	if err != nil {
		return 0, err
	}
	q, err := ratio("Sharpe ratio", meanOf(excess), sd)
	return q * math.Sqrt(periodsPerYear), err
}

// DownsideDeviation returns sqrt(mean(min(r - required, 0)^2)) * sqrt(k), where the mean is over all
// returns. Source: F. Sortino; empyrical downside_risk.
func DownsideDeviation(returns []float64, required, periodsPerYear float64) (float64, error) {
	below := excessReturns(returns, required)
	if len(below) == 0 {
		return 0, fmt.Errorf("downside deviation: %w", ErrTooFewReturns)
	}
	sum := 0.0
	for _, v := range below {
		v = math.Min(v, 0)
		sum += v * v
	}
	return finiteMeasure("downside deviation", math.Sqrt(sum/float64(len(below)))*math.Sqrt(periodsPerYear))
}

// Sortino returns mean(r - required) * k / downside deviation. Source: empyrical
// sortino_ratio.
func Sortino(returns []float64, required, periodsPerYear float64) (float64, error) {
	excess := excessReturns(returns, required)
	if len(excess) < 2 {
		return 0, fmt.Errorf("Sortino ratio: %w: %d; at least 2 are needed", ErrTooFewReturns, len(excess))
	}
	down, err := DownsideDeviation(returns, required, periodsPerYear)
	if err != nil {
		return 0, err
	}
	return ratio("Sortino ratio", meanOf(excess)*periodsPerYear, down)
}

// Calmar returns the annual return divided by the max drawdown. Source: T. W. Young, Calmar Ratio
// (1991); empyrical calmar_ratio.
func Calmar(returns []float64, periodsPerYear float64) (float64, error) {
	annual, err := CompoundAnnualReturn(returns, periodsPerYear)
	if err != nil {
		return 0, err
	}
	fall, err := MaxDrawdownOfReturns(returns)
	if err != nil {
		return 0, err
	}
	return ratio("Calmar ratio", annual, -fall.Depth)
}

// Omega returns the sum of returns above a threshold per period divided by the sum of shortfalls below
// it. Source: Keating and Shadwick, A Universal Performance Measure (2002); empyrical omega_ratio.
func Omega(returns []float64, threshold float64) (float64, error) {
	excess := excessReturns(returns, threshold)
	if len(excess) < 2 {
		return 0, fmt.Errorf("Omega ratio: %w: %d; at least 2 are needed", ErrTooFewReturns, len(excess))
	}
	var above, below float64
	for _, v := range excess {
		if v > 0 {
			above += v
		} else {
			below -= v
		}
	}
	return ratio("Omega ratio", above, below)
}
