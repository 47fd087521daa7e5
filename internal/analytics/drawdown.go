package analytics

import (
	"fmt"
	"time"
)

// Drawdown is a fall from a high and, if it happened, the way back.
type Drawdown struct {
	// Depth is the fall as a negative fraction of the peak; zero when prices
	// never stood below an earlier one.
	Depth float64
	// Peak is the day the high was set (of equal ones the first), Trough the
	// first day at the lowest price, Recovery the first day back at the high or
	// above it: zero while that has not happened. All are zero when Depth is.
	Peak, Trough, Recovery time.Time
}

// MaxDrawdown is the deepest fall from a running high:
//
//	min over t of P[t] / max(P[0..t]) - 1
//
// Base: the highest price up to then, within the run. Not annualised. Of equally
// deep falls the first counts. Prices between observations are not seen, so
// monthly closes understate it. It needs one observation, else ErrTooFew.
// Source: M. Magdon-Ismail and A. Atiya, "Maximum Drawdown", Risk 17(10), 2004.
func MaxDrawdown(p Prices) (Drawdown, error) {
	if err := p.requireLen(1); err != nil {
		return Drawdown{}, fmt.Errorf("max drawdown: %w", err)
	}
	var worst Drawdown
	high, worstHigh := 0, 0
	for i, v := range p.values {
		if v > p.values[high] {
			high = i
		}
		if depth := v/p.values[high] - 1; depth < worst.Depth {
			worst = Drawdown{Depth: depth, Peak: p.dates[high], Trough: p.dates[i]}
			worstHigh = high
		}
		if worst.Depth < 0 && worst.Recovery.IsZero() && v >= p.values[worstHigh] {
			worst.Recovery = p.dates[i]
		}
	}
	return worst, nil
}

// CurrentDrawdown is how far the last price stands below the highest one of the
// run, with the day of that high and no recovery:
//
//	P[last] / max(P) - 1
//
// Base: the highest price of the run. Trough is the last date, which need not be
// the lowest day of the fall. It needs one observation, else ErrTooFew.
// Source: as MaxDrawdown.
func CurrentDrawdown(p Prices) (Drawdown, error) {
	if err := p.requireLen(1); err != nil {
		return Drawdown{}, fmt.Errorf("current drawdown: %w", err)
	}
	last, high := len(p.values)-1, 0
	for i, v := range p.values {
		if v > p.values[high] {
			high = i
		}
	}
	if p.values[last] == p.values[high] {
		return Drawdown{}, nil
	}
	return Drawdown{Depth: p.values[last]/p.values[high] - 1, Peak: p.dates[high], Trough: p.dates[last]}, nil
}
