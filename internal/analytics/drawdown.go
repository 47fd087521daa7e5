package analytics

import (
	"fmt"
	"time"
)

// Drawdown is a decline from a peak and, if it happened, the recovery.
type Drawdown struct {
	// Depth is the decline as a negative fraction of the peak; zero if no price was below an
	// earlier one.
	Depth float64
	// Peak is the first day at the high, Trough the first day at the lowest price, and Recovery the first
	// day back at or above the high, zero if there is none yet. All are zero if Depth is.
	Peak, Trough, Recovery time.Time
}

// MaxDrawdown returns the largest decline from a running peak:
//
//	min over t of P[t] / max(P[0..t]) - 1
//
// Base: the highest price so far. Not annualized. Of equal declines the first counts. Prices
// between observations are not visible, so monthly closes understate it. It needs one observation,
// else ErrTooFew. Source: M. Magdon-Ismail and A. Atiya, "Maximum Drawdown", Risk 17(10), 2004.
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

// CurrentDrawdown returns the decline of the last price from the highest one, with the date of that peak
// and no recovery:
//
//	P[last] / max(P) - 1
//
// Base: the highest price. Trough is the last date, which may not be the lowest day of the decline.
// It needs one observation, else ErrTooFew. Source: as MaxDrawdown.
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
