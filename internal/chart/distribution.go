package chart

import (
	"fmt"
	"math"
)

// maxClasses bounds the classes of a histogram that was counted elsewhere.
const maxClasses = 200

// distribution returns the distribution of a histogram; ok is false if no value is known.
func (s Spec) distribution() (c Distribution, ok bool) {
	if len(s.Distribution.Counts) > 0 {
		return s.Distribution.limited(), s.Distribution.drawable()
	}
	if len(s.Series) == 0 {
		return Distribution{}, false
	}
	sorted := s.Series[0].Values.sorted()
	if len(sorted) == 0 {
		return Distribution{}, false
	}
	return newDistribution(sorted, s.Series[0].Missing+s.Series[0].Values.countMissing()), true
}

// Histogram returns the distribution in at most limit classes; ok is false if no value is known.
func (s Spec) Histogram(limit int) (c Distribution, ok bool) {
	if c, ok = s.distribution(); !ok {
		return c, false
	}
	b := c.bins(limit)
	if len(s.Distribution.Counts) == 0 {
		b = newBins(s.Series[0].Values.sorted(), limit)
	}
	c.Start, c.Step, c.Counts = b.start, b.step, b.counts
	return c, true
}

// newDistribution counts values, which are sorted.
func newDistribution(sorted []float64, missing int) Distribution {
	b := newBins(sorted, maxStoredClasses)
	return Distribution{
		Start: b.start, Step: b.step, Counts: b.counts, Low: sorted[0], High: sorted[len(sorted)-1],
		Mean: meanOf(sorted), Median: medianOf(sorted), Missing: missing,
	}
}

// limited returns c with its counts limited to their bounds.
func (c Distribution) limited() Distribution {
	c.Counts = c.Counts[:min(len(c.Counts), maxClasses)]
	return c
}

func (c Distribution) drawable() bool {
	for _, v := range []float64{c.Start, c.Low, c.High, c.Mean, c.Median, c.Start + c.Step*float64(len(c.Counts))} {
		if !IsDrawable(v) {
			return false
		}
	}
	return (c.Step > math.Abs(c.Start)*1e-15 || c.Step == 0 && len(c.Counts) == 1) && c.Total() > 0
}

// Total returns the number of values.
func (c Distribution) Total() float64 {
	n := 0.0
	for _, count := range c.limited().Counts {
		n += float64(max(count, 0))
	}
	return n
}

// bins returns at most limit classes, merging neighbors if there are more.
func (c Distribution) bins(limit int) bins {
	together := (len(c.Counts) + limit - 1) / limit
	b := bins{start: c.Start, step: c.Step * float64(together), counts: make([]int, (len(c.Counts)+together-1)/together)}
	for i, count := range c.Counts {
		b.counts[i/together] += max(count, 0)
	}
	for _, count := range b.counts {
		b.maxCount = max(b.maxCount, count)
	}
	return b
}

func (c Distribution) check() error {
	if len(c.Counts) > maxClasses {
		return fmt.Errorf("%w: %d classes; a histogram has 1 to %d", ErrInvalid, len(c.Counts), maxClasses)
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
