package chart

import (
	"fmt"
	"math"
	"slices"
)

// bins count values in classes of equal width that begin at round numbers. A value on
// an edge belongs to the class above.
type bins struct {
	start, step float64 // step is zero if all values are equal
	counts      []int
	maxCount    int
}

// newBins chooses the width of classes by the rule of Freedman and Diaconis (1981),
// 2 IQR / cube root of n, rounded up to a round number. There are at most limit.
func newBins(sorted []float64, limit int) bins {
	n := len(sorted)
	low, high := sorted[0], sorted[n-1]
	spread := 2 * (sorted[(3*n)/4] - sorted[n/4]) / math.Cbrt(float64(n))
	step := roundStep(max(spread, (high-low)/float64(min(limit, 60))))
	if high-low < MinMagnitude || step <= max(math.Abs(low), math.Abs(high))*1e-13 {
		return bins{start: low, counts: []int{n}, maxCount: n}
	}
	// Otherwise half of the values being equal would put all others in one class.
	step = min(step, roundStep((high-low)/float64(min(limit, 5))))
	from := func() float64 { return math.Floor(low/step + 1e-9) }
	size := func() int { return int(math.Floor(high/step+1e-9)-from()) + 1 }
	for size() > limit {
		step = roundStep(step * 1.01)
	}
	b := bins{start: from() * step, step: step, counts: make([]int, size())}
	for _, v := range sorted {
		i := b.classIndex(v)
		b.counts[i]++
		b.maxCount = max(b.maxCount, b.counts[i])
	}
	return b
}

func (b bins) classIndex(v float64) int {
	if b.step == 0 {
		return 0
	}
	return min(max(int(math.Floor((v-b.start)/b.step+1e-9)), 0), len(b.counts)-1)
}

// sorted returns the known values in ascending order.
func (v Values) sorted() []float64 {
	out := make([]float64, 0, min(len(v), maxPoints))
	for _, x := range v[:min(len(v), maxPoints)] {
		if isDrawable(x) {
			out = append(out, x)
		}
	}
	slices.Sort(out)
	return out
}

func meanOf(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total / float64(len(values))
}

// medianOf returns the middle one of sorted values, or the mean of the middle two.
func medianOf(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

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

// limited returns c with at most maxClasses counts.
func (c Distribution) limited() Distribution {
	c.Counts = c.Counts[:min(len(c.Counts), maxClasses)]
	return c
}

func (c Distribution) drawable() bool {
	for _, v := range []float64{c.Start, c.Low, c.High, c.Mean, c.Median, c.Start + c.Step*float64(len(c.Counts))} {
		if !isDrawable(v) {
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
		return fmt.Errorf("%w: %d classes; use 1 to %d", ErrInvalid, len(c.Counts), maxClasses)
	}
	for _, count := range c.Counts {
		if count < 0 || count > math.MaxInt32 {
			return fmt.Errorf("%w: invalid class of %d values", ErrInvalid, count)
		}
	}
	if !c.drawable() {
		return fmt.Errorf("%w: classes from %g in steps of %g, mean %g, median %g, cannot be drawn", ErrInvalid, c.Start, c.Step, c.Mean, c.Median)
	}
	return nil
}

// histogramColumn returns the column of v among cols columns.
func histogramColumn(b Distribution, v float64, cols int) int {
	wide := cols / len(b.Counts)
	if b.Step == 0 {
		return cols / 2
	}
	return min(max(int(math.Floor(((v-b.Start)/b.Step+1e-9)*float64(wide))), 0), cols-1)
}

// histogram sets up a histogram with its mean and median.
func (p *plot) histogram(s Spec) bool {
	b, ok := s.Histogram(max(p.width-10, 4))
	if !ok {
		return false
	}
	mean, median, most := b.Mean, b.Median, slices.Max(b.Counts)
	p.y = Scale{Low: 0, High: float64(most), Whole: true}
	p.legend = []legendEntry{
		{p.g.mean, "mean", formatFigure(mean, p.unit), StyleAxis},
		{p.g.median, "median", formatFigure(median, p.unit), StyleAxis},
		{"n", "", formatGrouped(b.Total(), 0), StyleLabel},
	}
	p.markers = func(cols int) []marker {
		// If both fall into one column, the mean is visible.
		return []marker{{histogramColumn(b, median, cols), p.g.median}, {histogramColumn(b, mean, cols), p.g.mean}}
	}
	p.columnLabels = func(cols int) []columnLabel { return classLabels(b, cols, p.unit) }
	p.draw = func(c *canvas, rows int) {
		wide := c.cols / len(b.Counts)
		for i, count := range b.Counts {
			for col := i * wide; count > 0 && col < (i+1)*wide; col++ {
				c.fillColumn(col, rows-1, rows, float64(count)/float64(most), StyleSeries1)
			}
		}
	}
	return true
}

// classLabels returns labels for edges of classes at round numbers.
func classLabels(b Distribution, cols int, unit string) []columnLabel {
	if b.Step == 0 {
		return []columnLabel{{col: cols / 2, label: formatFigure(b.Start, unit)}}
	}
	edges := Scale{Low: b.Start, High: b.Start + b.Step*float64(len(b.Counts))}
	var out []columnLabel
	for _, t := range edges.Ticks(max(cols/10, 2), unit) {
		v := edges.Low + t.Position*(edges.High-edges.Low)
		out = append(out, columnLabel{col: histogramColumn(b, v, cols), label: t.Label})
	}
	return out
}
