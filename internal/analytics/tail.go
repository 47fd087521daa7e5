package analytics

import (
	"fmt"
	"math"
	"slices"
)

// ReturnDrawdown is the largest decline of compounded returns from their peak, including the level
// before the first return. Indices count returns: -1 is the level before the first.
type ReturnDrawdown struct {
	Depth        float64 // negative, or zero if there was none
	Peak, Trough int
	Recovery     int // first return that restored the peak; -1 if none has
}

// MaxDrawdownOfReturns returns the maximum drawdown min(w[t] / max(w[0..t]) - 1) of the compounded
// returns. Levels that differ only by rounding are equal: a loss of 20% and a gain of 25% restore
// the peak. Without a known return it is ErrTooFewReturns. Source: empyrical max_drawdown.
func MaxDrawdownOfReturns(returns []float64) (ReturnDrawdown, error) {
	if KnownReturns(returns) == 0 {
		return ReturnDrawdown{}, fmt.Errorf("maximum drawdown: %w", ErrTooFewReturns)
	}
	const rounding = 1e-12
	worst := ReturnDrawdown{Peak: -1, Trough: -1, Recovery: -1}
	wealth, high, highAt, fallsFrom := 1.0, 1.0, -1, 0.0
	for i, r := range returns {
		if !math.IsNaN(r) {
			wealth *= 1 + r
		}
		if wealth > high*(1+rounding) {
			high, highAt = wealth, i
		}
		if depth := wealth/high - 1; depth < worst.Depth-rounding {
			worst = ReturnDrawdown{Depth: depth, Peak: highAt, Trough: i, Recovery: -1}
			fallsFrom = high
		}
		if worst.Depth < 0 && worst.Recovery < 0 && wealth >= fallsFrom*(1-rounding) {
			worst.Recovery = i
		}
	}
	if _, err := finiteMeasure("maximum drawdown", wealth); err != nil {
		return ReturnDrawdown{}, err
	}
	return worst, nil
}

// ValueAtRisk returns the historical return per period below which a fraction 1 - confidence of the returns
// lies: the percentile, with linear interpolation between the two surrounding returns. It is negative for a
// loss. Source: empyrical value_at_risk, numpy percentile.
func ValueAtRisk(returns []float64, confidence float64) (float64, error) {
	return percentile("value at risk", returns, 1-confidence)
}

// ConditionalValueAtRisk returns the mean return of the worst fraction, 1 - confidence, of the periods. It
// is negative for a loss. A period that is only partly in the fraction counts in part; a fraction of less
// than one period is the worst period. Source: Rockafellar and Uryasev, "Conditional Value-at-Risk for
// General Loss Distributions", 2002. empyrical averages only whole periods.
func ConditionalValueAtRisk(returns []float64, confidence float64) (float64, error) {
	if !(confidence >= 0) || confidence > 1 {
		return 0, fmt.Errorf("conditional value at risk: %w: invalid confidence %v", ErrInvalidReturns, confidence)
	}
	r := knownReturns(returns)
	if len(r) == 0 {
		return 0, fmt.Errorf("conditional value at risk: %w", ErrTooFewReturns)
	}
	slices.Sort(r)
	part := max((1-confidence)*float64(len(r)), 1)
	left, sum := part, 0.0
	for _, v := range r {
		take := min(1, left)
		sum, left = sum+take*v, left-take
	}
	return sum / part, nil
}

// TailRatio returns |95th percentile| / |5th percentile|: above one, the best periods
// are larger than the worst. Source: empyrical tail_ratio.
func TailRatio(returns []float64) (float64, error) {
	high, err := percentile("tail ratio", returns, 0.95)
	if err != nil {
		return 0, err
	}
	low, err := percentile("tail ratio", returns, 0.05)
	if err != nil {
		return 0, err
	}
	return ratio("tail ratio", math.Abs(high), math.Abs(low))
}

func percentile(what string, returns []float64, share float64) (float64, error) {
	if !(share >= 0) || share > 1 {
		return 0, fmt.Errorf("%s: %w: invalid share %v", what, ErrInvalidReturns, share)
	}
	r := knownReturns(returns)
	if len(r) == 0 {
		return 0, fmt.Errorf("%s: %w", what, ErrTooFewReturns)
	}
	slices.Sort(r)
	at := share * float64(len(r)-1)
	low := int(math.Floor(at))
	high := min(low+1, len(r)-1)
	return r[low] + (at-float64(low))*(r[high]-r[low]), nil
}

// Skewness returns m3 / m2^1.5 of the moments around the mean (divisor n). It is negative if the large
// returns are losses, and 0 for returns that are symmetric except for rounding. Source: scipy.stats.skew.
func Skewness(returns []float64) (float64, error) {
	second, third, _, err := moments("skewness", returns)
	if err != nil {
		return 0, err
	}
	// A deviation is only as exact as the returns it is computed from.
	const rounding = 1e-15
	largest := 0.0
	for _, r := range knownReturns(returns) {
		largest = max(largest, math.Abs(r))
	}
	if math.Abs(third) <= 3*second*largest*rounding {
		return 0, nil
	}
	return finiteMeasure("skewness", third/math.Pow(second, 1.5))
}

// Kurtosis returns m4 / m2^2 - 3 (divisor n): positive if extremes are more frequent than in a normal
// distribution. Source: scipy.stats.kurtosis.
func Kurtosis(returns []float64) (float64, error) {
	second, _, fourth, err := moments("kurtosis", returns)
	if err != nil {
		return 0, err
	}
	return finiteMeasure("kurtosis", fourth/(second*second)-3)
}

func moments(what string, returns []float64) (second, third, fourth float64, err error) {
	r := knownReturns(returns)
	if len(r) < 2 {
		return 0, 0, 0, fmt.Errorf("%s: %w: %d; at least 2 are needed", what, ErrTooFewReturns, len(r))
	}
	mean := meanOf(r)
	for _, v := range r {
		d := v - mean
		second += d * d
		third += d * d * d
		fourth += d * d * d * d
	}
	n := float64(len(r))
	// Below this the returns are equal except for rounding.
	if second/n < 1e-30 {
		return 0, 0, 0, fmt.Errorf("%s: %w: all returns are equal", what, ErrUndefined)
	}
	return second / n, third / n, fourth / n, nil
}
