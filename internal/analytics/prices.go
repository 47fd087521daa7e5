package analytics

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Errors of this package. They are wrapped with the date or the count that caused them.
var (
	// ErrTooFew means that the measure needs more observations.
	ErrTooFew = errors.New("too few observations")
	// ErrNonPositive means a price of zero or less, which has no return.
	ErrNonPositive = errors.New("price is not positive")
	// ErrDisordered means two prices on one day, or a later one before an earlier one.
	ErrDisordered = errors.New("dates do not increase")
	// ErrOutOfRange means a result that no float64 can hold.
	ErrOutOfRange = errors.New("result is out of range")
)

// Prices holds dated closes of one instrument, in strictly increasing order of date, all positive. The zero
// value is empty. It is immutable and safe for concurrent use.
type Prices struct {
	interval market.Interval
	dates    []time.Time
	values   []float64
}

// NewPrices converts the closes of a series to float64; nothing else does. About 16 significant digits are
// far more than statistics of prices need. It rejects values that would spoil every later result:
// ErrNonPositive, ErrDisordered, ErrOutOfRange.
func NewPrices(s market.Series) (Prices, error) {
	p := Prices{
		interval: s.Interval,
		dates:    make([]time.Time, len(s.Bars)),
		values:   make([]float64, len(s.Bars)),
	}
	for i, bar := range s.Bars {
		day := bar.Date.Format(time.DateOnly)
		if !bar.Close.IsPositive() {
			return Prices{}, fmt.Errorf("close %s on %s: %w", bar.Close, day, ErrNonPositive)
		}
		if i > 0 && !bar.Date.After(p.dates[i-1]) {
			return Prices{}, fmt.Errorf("%s after %s: %w", day, p.dates[i-1].Format(time.DateOnly), ErrDisordered)
		}
		value := bar.Close.InexactFloat64()
		// A positive decimal may still round to 0 or to infinity.
		if value == 0 || math.IsInf(value, 0) {
			return Prices{}, fmt.Errorf("close on %s: %w", day, ErrOutOfRange)
		}
		p.dates[i], p.values[i] = bar.Date, value
	}
	return p, nil
}

// Len returns the number of observations.
func (p Prices) Len() int { return len(p.values) }

// Interval returns the interval that the source stated.
func (p Prices) Interval() market.Interval { return p.interval }

// From returns the date of the first price, or zero.
func (p Prices) From() time.Time {
	if len(p.dates) == 0 {
		return time.Time{}
	}
	return p.dates[0]
}

// To returns the date of the last price, or zero.
func (p Prices) To() time.Time {
	if len(p.dates) == 0 {
		return time.Time{}
	}
	return p.dates[len(p.dates)-1]
}

// daysPerYear is the length of a Julian year, the usual divisor to convert periods to years.
const daysPerYear = 365.25

// Years returns the time between the first and the last date, in years of 365.25 days.
func (p Prices) Years() float64 {
	return p.To().Sub(p.From()).Hours() / 24 / daysPerYear
}

// requireLen returns ErrTooFew unless there are at least n observations.
func (p Prices) requireLen(n int) error {
	if len(p.values) < n {
		return fmt.Errorf("%d of at least %d: %w", len(p.values), n, ErrTooFew)
	}
	return nil
}
