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
	maxCount    int
}

// newBins chooses the width of classes by the rule of Freedman and Diaconis (1981),
// 2 IQR / cube root of n, rounded up to a round number. There are at most limit.
func newBins(sorted []float64, limit int) bins {
	n := len(sorted)
	low, high := sorted[0], sorted[n-1]
	spread := 2 * (sorted[(3*n)/4] - sorted[n/4]) / math.Cbrt(float64(n))
	step := RoundStep(max(spread, (high-low)/float64(min(limit, 60))))
	if high-low < MinMagnitude || step <= max(math.Abs(low), math.Abs(high))*1e-13 {
		return bins{start: low, counts: []int{n}, maxCount: n}
	}
	// Half of the values alike would make one class of all the others.
	step = min(step, RoundStep((high-low)/float64(min(limit, 5))))
	from := func() float64 { return math.Floor(low/step + 1e-9) }
	size := func() int { return int(math.Floor(high/step+1e-9)-from()) + 1 }
	for size() > limit {
		step = RoundStep(step * 1.01)
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

// sorted are the values that are known, the lowest first.
func (v Values) sorted() []float64 {
	out := make([]float64, 0, min(len(v), maxPoints))
	for _, x := range v[:min(len(v), maxPoints)] {
		if IsDrawable(x) {
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
