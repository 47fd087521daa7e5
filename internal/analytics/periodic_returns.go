package analytics

import (
	"errors"
	"fmt"
	"math"
)

// Errors of this package.
var (
	// ErrTooFewReturns means that the measure needs more returns.
	ErrTooFewReturns = errors.New("too few returns")
	// ErrUndefined means that the measure divides by a figure that is zero for these returns: volatility,
	// drawdown or loss.
	ErrUndefined = errors.New("not defined for these returns")
	// ErrInvalidReturns means that arguments are not valid returns or rates.
	ErrInvalidReturns = errors.New("invalid input")
)

// knownReturns returns the returns that are not NaN.
func knownReturns(returns []float64) []float64 {
	out := make([]float64, 0, len(returns))
	for _, r := range returns {
		if !math.IsNaN(r) {
			out = append(out, r)
		}
	}
	return out
}

// KnownReturns counts the returns that are known.
func KnownReturns(returns []float64) int { return len(knownReturns(returns)) }

// PerPeriod returns the rate per period that compounds to an annual rate: (1 + annual)^(1/periods)
// - 1.
func PerPeriod(annual, periodsPerYear float64) float64 {
	return math.Expm1(math.Log1p(annual) / periodsPerYear)
}

// CompoundReturn compounds all returns: product(1 + r) - 1.
func CompoundReturn(returns []float64) (float64, error) {
	if len(knownReturns(returns)) == 0 {
		return 0, fmt.Errorf("total return: %w", ErrTooFewReturns)
	}
	return finiteMeasure("total return", compoundWealth(returns)-1)
}

func compoundWealth(returns []float64) float64 {
	w := 1.0
	for _, r := range knownReturns(returns) {
		w *= 1 + r
	}
	return w
}

// CompoundAnnualReturn returns the compound annual return: product(1 + r)^(k/n) - 1 with k periods per
// year and n periods, including unknown ones. Source: empyrical annual_return.
func CompoundAnnualReturn(returns []float64, periodsPerYear float64) (float64, error) {
	if len(knownReturns(returns)) == 0 {
		return 0, fmt.Errorf("annual return: %w", ErrTooFewReturns)
	}
	w := compoundWealth(returns)
	if w < 0 {
		return 0, fmt.Errorf("annual return: %w: the loss exceeds 100%%", ErrUndefined)
	}
	return finiteMeasure("annual return", math.Pow(w, periodsPerYear/float64(len(returns)))-1)
}

// AnnualizedVolatility returns the sample standard deviation (divisor n-1) times the square root of the
// periods per year. Source: empyrical annual_volatility.
func AnnualizedVolatility(returns []float64, periodsPerYear float64) (float64, error) {
	sd, err := sampleDeviation("volatility", knownReturns(returns))
	return sd * math.Sqrt(periodsPerYear), err
}

func sampleDeviation(what string, r []float64) (float64, error) {
	if len(r) < 2 {
		return 0, fmt.Errorf("%s: %w: %d; at least 2 are needed", what, ErrTooFewReturns, len(r))
	}
	mean, sum := meanOf(r), 0.0
	for _, v := range r {
		sum += (v - mean) * (v - mean)
	}
	return finiteMeasure(what, math.Sqrt(sum/float64(len(r)-1)))
}

// meanOf averages the differences from the first return, so that the mean of equal returns is exactly that
// return. Otherwise the rounding of their sum would look like dispersion.
func meanOf(r []float64) float64 {
	sum := 0.0
	for _, v := range r {
		sum += v - r[0]
	}
	return r[0] + sum/float64(len(r))
}

// excessReturns subtracts a rate per period from every return.
func excessReturns(returns []float64, rate float64) []float64 {
	out := knownReturns(returns)
	for i := range out {
		out[i] -= rate
	}
	return out
}

func finiteMeasure(what string, v float64) (float64, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s: %w: result out of range", what, ErrUndefined)
	}
	return v, nil
}

// ratio returns a quotient, or ErrUndefined if the divisor is zero except for rounding, which leaves about
// 1e-17 of a zero deviation.
func ratio(what string, over, under float64) (float64, error) {
	const nothing = 1e-15
	if math.Abs(under) < nothing {
		return 0, fmt.Errorf("%s: %w", what, ErrUndefined)
	}
	return finiteMeasure(what, over/under)
}
