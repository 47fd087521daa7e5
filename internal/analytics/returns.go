package analytics

import (
	"fmt"
	"math"
)

// Returns are the simple returns from each observation to the next:
//
//	r[i] = P[i]/P[i-1] - 1
//
// There is one fewer than there are prices; none for an empty or single price.
// Source: CFA Institute, "Rates and Returns", holding period return.
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

// TotalReturn is what the first price became by the last one:
//
//	P[last]/P[first] - 1
//
// Base: the first price. Not annualised. It counts dividends only if the series
// is adjusted for them. It needs two observations, else ErrTooFew.
// Source: CFA Institute, "Rates and Returns", holding period return.
func TotalReturn(p Prices) (float64, error) {
	if err := p.requireLen(2); err != nil {
		return 0, fmt.Errorf("total return: %w", err)
	}
	return checkOverflow("total return", p.values[len(p.values)-1]/p.values[0]-1)
}

// AnnualReturn is the constant yearly rate that leads from the first price to
// the last (compound annual growth rate, CAGR):
//
//	(P[last]/P[first])^(1/years) - 1,  years = days between the dates / 365.25
//
// Base: the first price. Annualised by the calendar, so that it is exact for
// dated prices whatever sessions were skipped; empyrical and others take
// years = periods/252 instead, which drifts wherever a year does not have 252
// sessions. Below one year it extrapolates; see Measure's warnings. It needs two
// observations, else ErrTooFew; a rate beyond float64 is ErrOutOfRange.
// Source: GIPS Standards 2020, annualised time-weighted return, with the
// exponent 365.25/days.
func AnnualReturn(p Prices) (float64, error) {
	if err := p.requireLen(2); err != nil {
		return 0, fmt.Errorf("annual return: %w", err)
	}
	growth := p.values[len(p.values)-1] / p.values[0]
	return checkOverflow("annual return", math.Pow(growth, 1/p.Years())-1)
}

// checkOverflow refuses what arithmetic overflowed to.
func checkOverflow(what string, v float64) (float64, error) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("%s: %w", what, ErrOutOfRange)
	}
	return v, nil
}
