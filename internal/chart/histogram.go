package chart

import (
	"math"
	"slices"
)

// bins count values in classes of equal width that begin at round numbers. A value on
// an edge belongs to the class above.
type bins struct {
	start, step float64 // step is zero where all values are alike
	counts      []int
	most        int
}

// binned chooses the width of classes by the rule of Freedman and Diaconis (1981),
// 2 IQR / cube root of n, rounded up to a round number. There are at most limit.
func binned(sorted []float64, limit int) bins {
	n := len(sorted)
	low, high := sorted[0], sorted[n-1]
	spread := 2 * (sorted[(3*n)/4] - sorted[n/4]) / math.Cbrt(float64(n))
	step := roundStep(max(spread, (high-low)/float64(min(limit, 60))))
	if high-low < minMagnitude || step <= max(math.Abs(low), math.Abs(high))*1e-13 {
		return bins{start: low, counts: []int{n}, most: n}
	}
	// Half of the values alike would make one class of all the others.
	step = min(step, roundStep((high-low)/float64(min(limit, 5))))
	from := func() float64 { return math.Floor(low/step + 1e-9) }
	size := func() int { return int(math.Floor(high/step+1e-9)-from()) + 1 }
	for size() > limit {
		step = roundStep(step * 1.01)
	}
	b := bins{start: from() * step, step: step, counts: make([]int, size())}
	for _, v := range sorted {
		i := b.of(v)
		b.counts[i]++
		b.most = max(b.most, b.counts[i])
	}
	return b
}

func (b bins) of(v float64) int {
	if b.step == 0 {
		return 0
	}
	return min(max(int(math.Floor((v-b.start)/b.step+1e-9)), 0), len(b.counts)-1)
}

// column is where v stands among so many columns.
func (b bins) column(v float64, cols int) int {
	wide := cols / len(b.counts)
	if b.step == 0 {
		return cols / 2
	}
	return min(max(int(math.Floor(((v-b.start)/b.step+1e-9)*float64(wide))), 0), cols-1)
}

// histogram sets up how often values occur.
func (p *plot) histogram(s Spec) bool {
	c, ok := s.counted()
	if !ok {
		return false
	}
	limit := max(p.width-10, 4)
	b := c.bins(limit)
	if len(s.Counted.Counts) == 0 {
		b = binned(s.Series[0].Values.sorted(), limit)
	}
	mean, median := c.Mean, c.Median
	p.y = scale{low: 0, high: float64(b.most), whole: true}
	p.legend = []entry{
		{p.g.mean, "mean", figure(mean, p.unit), Axis},
		{p.g.median, "median", figure(median, p.unit), Axis},
		{"n", "", grouped(c.total(), 0), Label},
	}
	p.pins = func(cols int) []pin {
		// Where the two are one column, the mean is seen.
		return []pin{{b.column(median, cols), p.g.median}, {b.column(mean, cols), p.g.mean}}
	}
	p.bottom = func(cols int) []place { return b.places(cols, p.unit) }
	p.draw = func(c *canvas, rows int) {
		wide := c.cols / len(b.counts)
		for i, count := range b.counts {
			for col := i * wide; count > 0 && col < (i+1)*wide; col++ {
				c.pillar(col, rows-1, rows, float64(count)/float64(b.most), Series1)
			}
		}
	}
	return true
}

// places label edges of classes at round numbers.
func (b bins) places(cols int, unit string) []place {
	if b.step == 0 {
		return []place{{cols / 2, figure(b.start, unit)}}
	}
	axis := scale{low: b.start, high: b.start + b.step*float64(len(b.counts))}
	var out []place
	for _, t := range axis.ticks(max(cols/10, 2), unit) {
		v := axis.low + t.position*(axis.high-axis.low)
		out = append(out, place{b.column(v, cols), t.label})
	}
	return out
}

// sorted are the values that are known, the lowest first.
func (v Values) sorted() []float64 {
	out := make([]float64, 0, min(len(v), maxPoints))
	for _, x := range v[:min(len(v), maxPoints)] {
		if known(x) {
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

// medianOf sorted values is the one in the middle, or half-way between the two.
func medianOf(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
