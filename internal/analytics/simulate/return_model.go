package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// ReturnModel generates the returns of possible futures.
type ReturnModel interface {
	// fillReturns sets the returns of path number n, which are always the same for a seed.
	fillReturns(n int, source *rand.Rand, into []float64)
	// pathCount returns the number of paths of a length in years: 0 for no limit, negative for none.
	pathCount(years int) int
	check(years int) error
}

// NormalReturns draws each year's return independently. 1 + r is lognormal, so that no loss exceeds 100%,
// with the given mean and standard deviation of the simple return:
//
//	ln(1+r) ~ N(ln(1+m) - v/2, v),  v = ln(1 + (s/(1+m))^2)
type NormalReturns struct{ Mean, Deviation float64 }

func (m NormalReturns) check(int) error {
	if !(m.Mean > -1) || m.Mean >= 1 || !(m.Deviation >= 0) || m.Deviation > 2 {
		return fmt.Errorf("%w: mean and deviation are annual fractions; write 7%% as 0.07", ErrInvalidPlan)
	}
	return nil
}

func (NormalReturns) pathCount(int) int { return 0 }

func (m NormalReturns) fillReturns(_ int, source *rand.Rand, into []float64) {
	ratio := m.Deviation / (1 + m.Mean)
	variance := math.Log1p(ratio * ratio)
	middle, spread := math.Log1p(m.Mean)-variance/2, math.Sqrt(variance)
	for i := range into {
		into[i] = math.Expm1(middle + spread*source.NormFloat64())
	}
}

// PastReturns are the returns of a history, oldest first.
type PastReturns struct {
	Returns []float64
	PerYear int // 1 for yearly returns, 12 for monthly, 252 for daily
}

func (p PastReturns) check(years int) error {
	if p.PerYear < 1 || p.PerYear > 366 {
		return fmt.Errorf("%w: invalid number of returns per year %d", ErrInvalidPlan, p.PerYear)
	}
	for i, r := range p.Returns {
		if !(r > -1) || r > 100 {
			return fmt.Errorf("%w: return %d of the history is %v; write a loss of 3%% as -0.03", ErrInvalidPlan, i+1, r)
		}
	}
	return nil
}

// minPastPeriods is the number of years that a history must have. A shorter one says nothing about bad
// times.
const minPastPeriods = 5

// BlockBootstrap draws consecutive blocks of the past. Each starts at a random period and wraps around from
// the end to the beginning, so that every period is equally likely. Returns within a block keep their
// order. Source: Politis and Romano, A Circular Block-Resampling Procedure (1992).
type BlockBootstrap struct {
	PastReturns
	Block int // periods per block (default one year)
}

func (b BlockBootstrap) check(years int) error {
	if err := b.PastReturns.check(years); err != nil {
		return err
	}
	if len(b.Returns) < minPastPeriods*b.PerYear {
		return fmt.Errorf("%w: the history covers %.1f years, but %d are needed; use a longer one", ErrInvalidPlan, float64(len(b.Returns))/float64(b.PerYear), minPastPeriods)
	}
	if b.Block < 0 || b.Block > len(b.Returns) {
		return fmt.Errorf("%w: invalid block of %d periods; the history has %d", ErrInvalidPlan, b.Block, len(b.Returns))
	}
	return nil
}

func (BlockBootstrap) pathCount(int) int { return 0 }

func (b BlockBootstrap) fillReturns(_ int, source *rand.Rand, into []float64) {
	block := b.Block
	if block == 0 {
		block = b.PerYear
	}
	left, at, size := 0, 0, len(b.Returns)
	for i := range into {
		grown := 1.0
		for range b.PerYear {
			if left == 0 {
				left, at = block, source.IntN(size)
			}
			grown *= 1 + b.Returns[at]
			if at++; at == size {
				at = 0
			}
			left--
		}
		into[i] = grown - 1
	}
}

// HistoricalSequences replays the past from every start that leaves enough years. The paths overlap, so
// they are not independent.
type HistoricalSequences struct{ PastReturns }

func (s HistoricalSequences) check(years int) error {
	if err := s.PastReturns.check(years); err != nil {
		return err
	}
	if s.pathCount(years) < 1 {
		return fmt.Errorf("%w: a history of %.1f years has no %d consecutive years; plan for fewer years or use a longer history", ErrInvalidPlan, float64(len(s.Returns))/float64(s.PerYear), years)
	}
	return nil
}

func (s HistoricalSequences) pathCount(years int) int {
	if n := len(s.Returns) - years*s.PerYear + 1; n > 0 {
		return n
	}
	return -1
}

func (s HistoricalSequences) fillReturns(n int, _ *rand.Rand, into []float64) {
	for i := range into {
		grown := 1.0
		for _, r := range s.Returns[n+i*s.PerYear : n+(i+1)*s.PerYear] {
			grown *= 1 + r
		}
		into[i] = grown - 1
	}
}
