package chart

import (
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// mostClasses bounds what is read of a histogram that was counted elsewhere.
const mostClasses = 200

// counted is what a histogram says of its values; ok is false where none is known.
func (s Spec) counted() (c Counted, ok bool) {
	if len(s.Counted.Counts) > 0 {
		return s.Counted.clipped(), s.Counted.drawable()
	}
	if len(s.Series) == 0 {
		return Counted{}, false
	}
	sorted := s.Series[0].Values.sorted()
	if len(sorted) == 0 {
		return Counted{}, false
	}
	return countedOf(sorted, s.Series[0].Missing+s.Series[0].Values.missing()), true
}

// Classes is a histogram in at most limit classes, and what is said of its values; ok
// is false where none is known.
func (s Spec) Classes(limit int) (c Counted, ok bool) {
	if c, ok = s.counted(); !ok {
		return c, false
	}
	b := c.bins(limit)
	if len(s.Counted.Counts) == 0 {
		b = binned(s.Series[0].Values.sorted(), limit)
	}
	c.Start, c.Step, c.Counts = b.start, b.step, b.counts
	return c, true
}

// countedOf counts values, the lowest first.
func countedOf(sorted []float64, missing int) Counted {
	b := binned(sorted, keptClasses)
	return Counted{
		Start: b.start, Step: b.step, Counts: b.counts, Low: sorted[0], High: sorted[len(sorted)-1],
		Mean: meanOf(sorted), Median: medianOf(sorted), Missing: missing,
	}
}

// clipped are the counts within their bound.
func (c Counted) clipped() Counted {
	c.Counts = c.Counts[:min(len(c.Counts), mostClasses)]
	return c
}

func (c Counted) drawable() bool {
	for _, v := range []float64{c.Start, c.Low, c.High, c.Mean, c.Median, c.Start + c.Step*float64(len(c.Counts))} {
		if !axis.Known(v) {
			return false
		}
	}
	return (c.Step > math.Abs(c.Start)*1e-15 || c.Step == 0 && len(c.Counts) == 1) && c.Total() > 0
}

// Total is how many values there are.
func (c Counted) Total() float64 {
	n := 0.0
	for _, count := range c.clipped().Counts {
		n += float64(max(count, 0))
	}
	return n
}

// bins are the classes, as many taken together as it needs for at most limit of them.
func (c Counted) bins(limit int) bins {
	together := (len(c.Counts) + limit - 1) / limit
	b := bins{start: c.Start, step: c.Step * float64(together), counts: make([]int, (len(c.Counts)+together-1)/together)}
	for i, count := range c.Counts {
		b.counts[i/together] += max(count, 0)
	}
	for _, count := range b.counts {
		b.most = max(b.most, count)
	}
	return b
}

func (c Counted) check() error {
	if len(c.Counts) > mostClasses {
		return fmt.Errorf("%w: %d classes; a histogram has 1 to %d", ErrInvalid, len(c.Counts), mostClasses)
	}
	for _, count := range c.Counts {
		if count < 0 || count > math.MaxInt32 {
			return fmt.Errorf("%w: a class of %d values", ErrInvalid, count)
		}
	}
	if !c.drawable() {
		return fmt.Errorf("%w: classes from %g in steps of %g, mean %g, median %g, cannot be drawn", ErrInvalid, c.Start, c.Step, c.Mean, c.Median)
	}
	return nil
}
