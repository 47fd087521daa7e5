package simulate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// Frequency is how often a rule is evaluated.
type Frequency string

// Frequencies.
const (
	Never     Frequency = "never"
	EachBar   Frequency = "each_bar"
	Monthly   Frequency = "monthly"
	Quarterly Frequency = "quarterly"
	Yearly    Frequency = "yearly"
)

// isDue reports whether the last date is the first one of a period. The decision is executed at the
// second bar, because the end of a period is not known at its last close.
func (f Frequency) isDue(dates []time.Time) bool {
	n := len(dates)
	if n < 2 {
		return false
	}
	before, now := dates[n-2], dates[n-1]
	switch f {
	case EachBar:
		return true
	case Monthly:
		return before.Month() != now.Month() || before.Year() != now.Year()
	case Quarterly:
		return (before.Month()-1)/3 != (now.Month()-1)/3 || before.Year() != now.Year()
	case Yearly:
		return before.Year() != now.Year()
	}
	return false
}

func (f Frequency) check() error {
	if !slices.Contains([]Frequency{Never, EachBar, Monthly, Quarterly, Yearly}, f) {
		return fmt.Errorf("%w: unknown frequency %q; use never, each_bar, monthly, quarterly or yearly", ErrInvalidBacktest, f)
	}
	return nil
}

// FixedWeights holds fixed weights and restores them at a frequency, or when one has drifted by more than a
// band. Never without a band is buy and hold.
type FixedWeights struct {
	Weights   []float64
	Rebalance Frequency
	Band      float64 // fraction of the equity; zero means none
}

// Warmup returns one date.
func (FixedWeights) Warmup() int { return 1 }

func (f FixedWeights) check(assets int) error {
	if len(f.Weights) != assets {
		return fmt.Errorf("%w: %d weights for %d assets; one weight per asset is needed", ErrInvalidBacktest, len(f.Weights), assets)
	}
	sum := 0.0
	for _, w := range f.Weights {
		if !(w >= 0) {
			return fmt.Errorf("%w: weights must not be negative", ErrInvalidBacktest)
		}
		sum += w
	}
	if sum > 1+1e-9 || sum <= 0 {
		return fmt.Errorf("%w: the weights add up to %v; they must add up to more than 0 and at most 1 (the rest is cash); write 60%% as 0.6", ErrInvalidBacktest, sum)
	}
	if !(f.Band >= 0) || f.Band >= 1 {
		return fmt.Errorf("%w: invalid band %v; write 5 points as 0.05", ErrInvalidBacktest, f.Band)
	}
	return f.Rebalance.check()
}

// Decide buys at once and then restores weights that have drifted.
func (f FixedWeights) Decide(v PriceHistory, held []float64) []float64 {
	drifted := false
	for a, w := range held {
		drifted = drifted || f.Band > 0 && math.Abs(w-f.Weights[a]) > f.Band
	}
	if !v.First && !drifted && !f.Rebalance.isDue(v.Dates) {
		return nil
	}
	return f.Weights
}

// MovingAverageCross holds an asset while its fast moving average is above its slow one. Each is
// bought with an equal part of the equity, or the available cash, and then drifts; the rest is
// cash.
type MovingAverageCross struct{ Fast, Slow int }

// Warmup returns the length of the slow average.
func (c MovingAverageCross) Warmup() int { return c.Slow }

func (c MovingAverageCross) check(int) error {
	if c.Fast < 1 || c.Slow <= c.Fast || c.Slow > 2000 {
		return fmt.Errorf("%w: averages over %d and %d bars; the first must be shorter", ErrInvalidBacktest, c.Fast, c.Slow)
	}
	return nil
}

// Decide changes only positions that cross; the others drift.
func (c MovingAverageCross) Decide(v PriceHistory, held []float64) []float64 {
	want, part, changed := make([]float64, len(held)), 1/float64(len(held)), false
	for a, closes := range v.Closes {
		above := stat.Mean(closes[len(closes)-c.Fast:], nil) > stat.Mean(closes[len(closes)-c.Slow:], nil)
		switch {
		case above && held[a] == 0:
			want[a], changed = part, true
		case !above && held[a] > 0:
			want[a], changed = 0, true
		default:
			want[a] = Keep
		}
	}
	if !changed {
		return nil
	}
	return want
}

// Momentum holds the assets with the highest return over a period, equally weighted, re-evaluated
// at a frequency. If OnlyRising is set, assets without a positive return are not held.
type Momentum struct {
	Lookback   int // bars
	Skip       int // latest bars excluded from the return, because the last month tends to reverse
	Top        int
	OnlyRising bool
	Rebalance  Frequency
}

// Warmup returns the lookback plus the skipped bars, plus one.
func (m Momentum) Warmup() int { return m.Lookback + m.Skip + 1 }

func (m Momentum) check(assets int) error {
	switch {
	case m.Lookback < 1 || m.Lookback > 2000 || m.Skip < 0 || m.Skip > 500:
		return fmt.Errorf("%w: a lookback of %d bars that skips the last %d; use a lookback of 1 to 2000 and skip 0 to 500", ErrInvalidBacktest, m.Lookback, m.Skip)
	case m.Top < 1 || m.Top > assets:
		return fmt.Errorf("%w: cannot choose the best %d of %d assets", ErrInvalidBacktest, m.Top, assets)
	}
	return m.Rebalance.check()
}

// Decide holds the assets with the highest returns.
func (m Momentum) Decide(v PriceHistory, held []float64) []float64 {
	if !v.First && !m.Rebalance.isDue(v.Dates) {
		return nil
	}
	order, returns := make([]int, len(held)), make([]float64, len(held))
	for a, closes := range v.Closes {
		end := len(closes) - 1 - m.Skip
		order[a], returns[a] = a, closes[end]/closes[end-m.Lookback]-1
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(returns[b], returns[a]) })
	want := make([]float64, len(held))
	for _, a := range order[:m.Top] {
		if !m.OnlyRising || returns[a] > 0 {
			want[a] = 1 / float64(m.Top)
		}
	}
	return want
}

// VolTarget holds fixed weights, scaled down so that their realized annual volatility would have
// been the target. It never borrows.
type VolTarget struct {
	Weights        []float64
	Target         float64
	Window         int // bars of returns
	PeriodsPerYear float64
	Rebalance      Frequency
}

// Warmup returns the window of returns plus one.
func (t VolTarget) Warmup() int { return t.Window + 1 }

func (t VolTarget) check(assets int) error {
	if !(t.Target > 0) || t.Target > 2 || t.Window < 5 || t.Window > 2000 || !(t.PeriodsPerYear > 0) {
		return fmt.Errorf("%w: invalid target of %v a year over %d bars; write 10%% as 0.1 and use at least 5 bars", ErrInvalidBacktest, t.Target, t.Window)
	}
	return FixedWeights{Weights: t.Weights, Rebalance: t.Rebalance}.check(assets)
}

// Decide scales by the volatility that the weights had in the window.
func (t VolTarget) Decide(v PriceHistory, held []float64) []float64 {
	if !v.First && !t.Rebalance.isDue(v.Dates) {
		return nil
	}
	n := len(v.Dates)
	returns := make([]float64, t.Window)
	for i := range returns {
		at := n - t.Window + i
		for a, closes := range v.Closes {
			returns[i] += t.Weights[a] * (closes[at]/closes[at-1] - 1)
		}
	}
	vol := stat.StdDev(returns, nil) * math.Sqrt(t.PeriodsPerYear)
	scale := 1.0
	if vol > t.Target {
		scale = t.Target / vol
	}
	want := make([]float64, len(held))
	for a, w := range t.Weights {
		want[a] = w * scale
	}
	return want
}
