package analytics

import (
	"fmt"
	"math"
)

// pairReturns returns the periods in which both returns are known; both results have the same
// length.
func pairReturns(what string, returns, benchmark []float64) (r, b []float64, err error) {
	if len(returns) != len(benchmark) {
		return nil, nil, fmt.Errorf("%s: %w: %d returns, but %d of the benchmark", what, ErrInvalidReturns, len(returns), len(benchmark))
	}
	for i := range returns {
		if !math.IsNaN(returns[i]) && !math.IsNaN(benchmark[i]) {
			r, b = append(r, returns[i]), append(b, benchmark[i])
		}
	}
	if len(r) < 2 {
		return nil, nil, fmt.Errorf("%s: %w: %d common periods; at least 2 are needed", what, ErrTooFewReturns, len(r))
	}
	return r, b, nil
}

// Beta returns cov(r, b) / var(b), the sensitivity to the benchmark. The risk-free rate cancels out.
// Source: empyrical beta.
func Beta(returns, benchmark []float64) (float64, error) {
	r, b, err := pairReturns("beta", returns, benchmark)
	if err != nil {
		return 0, err
	}
	meanR, meanB := meanOf(r), meanOf(b)
	var together, alone float64
	for i := range r {
		together += (r[i] - meanR) * (b[i] - meanB)
		alone += (b[i] - meanB) * (b[i] - meanB)
	}
	if alone/float64(len(b)) < 1e-30 {
		return 0, fmt.Errorf("beta: %w: the benchmark does not vary", ErrUndefined)
	}
	return finiteMeasure("beta", together/alone)
}

// Alpha returns the mean of (r - f) - beta (b - f) per period, compounded to a year: (1 + mean)^k - 1.
// Source: M. C. Jensen (1968); empyrical alpha.
func Alpha(returns, benchmark []float64, riskFree, periodsPerYear float64) (float64, error) {
	beta, err := Beta(returns, benchmark)
	if err != nil {
		return 0, err
	}
	r, b, err := pairReturns("alpha", returns, benchmark)
	if err != nil {
		return 0, err
	}
	mean := meanOf(r) - riskFree - beta*(meanOf(b)-riskFree)
	return finiteMeasure("alpha", math.Pow(1+mean, periodsPerYear)-1)
}

// UpCapture returns the annual return in periods when the benchmark rose, divided by that of the
// benchmark in them. Source: empyrical up_capture.
func UpCapture(returns, benchmark []float64, periodsPerYear float64) (float64, error) {
	return capture("up capture", returns, benchmark, periodsPerYear, func(b float64) bool { return b > 0 })
}

// DownCapture returns the same for periods when the benchmark fell.
func DownCapture(returns, benchmark []float64, periodsPerYear float64) (float64, error) {
	return capture("down capture", returns, benchmark, periodsPerYear, func(b float64) bool { return b < 0 })
}

func capture(what string, returns, benchmark []float64, periodsPerYear float64, counts func(float64) bool) (float64, error) {
	r, b, err := pairReturns(what, returns, benchmark)
	if err != nil {
		return 0, err
	}
	var ours, theirs []float64
	for i := range b {
		if counts(b[i]) {
			ours, theirs = append(ours, r[i]), append(theirs, b[i])
		}
	}
	own, err := CompoundAnnualReturn(ours, periodsPerYear)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	other, err := CompoundAnnualReturn(theirs, periodsPerYear)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	return ratio(what, own, other)
}
