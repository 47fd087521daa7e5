package chart

import "math"

// scale takes values to positions from 0, its lowest, to 1.
type scale struct {
	low, high float64
	log       bool
	flat      bool // values that are alike stand in one place
	whole     bool // counts: they have no fractions, and no unit
}

// extent gathers the range of values.
type extent struct {
	low, high float64
	any       bool
}

func (e *extent) add(values ...float64) {
	for _, v := range values {
		switch {
		case !known(v):
		case !e.any:
			e.low, e.high, e.any = v, v, true
		default:
			e.low, e.high = min(e.low, v), max(e.high, v)
		}
	}
}

// rounding is how far values that are alike may come to differ by being computed, as a
// share of them. A scale that spanned it would draw noise as a history.
const rounding = 1e-10

// scale spans the range exactly, so that the extremes stand at its ends. One that is
// a single value stands in the middle. Where a logarithm cannot be taken of all of
// it, the scale is linear.
func (e extent) scale(log bool) scale {
	s := scale{low: e.low, high: e.high, log: log && e.low >= minMagnitude}
	if e.high-e.low >= max(minMagnitude, rounding*max(math.Abs(e.low), math.Abs(e.high))) {
		return s
	}
	pad := math.Abs(e.low) / 20
	if pad < minMagnitude {
		pad = 1
	}
	s.low, s.high, s.flat = e.low-pad, e.high+pad, true
	return s
}

// position is NaN for what is not known, and below a logarithm.
func (s scale) position(v float64) float64 {
	switch {
	case !known(v) || s.log && v < minMagnitude:
		return math.NaN()
	case s.flat && math.Abs(v-(s.low+s.high)/2) <= rounding*math.Abs(v):
		return 0.5
	case s.log:
		return clamp(math.Log(v/s.low) / math.Log(s.high/s.low))
	}
	return clamp((v - s.low) / (s.high - s.low))
}

func clamp(position float64) float64 {
	// A scale so narrow that its ends divide to nothing has one place.
	if math.IsNaN(position) {
		return 0.5
	}
	return min(max(position, 0), 1)
}

// rowOf is the row, counted from the top, of a position on n rows.
func rowOf(position float64, n int) int {
	return int(math.Round((1 - position) * float64(n-1)))
}

// tick is a labelled place on a scale.
type tick struct {
	position float64
	label    string
}

// ticks are about n round values on the scale, from the lowest.
func (s scale) ticks(n int, unit string) []tick {
	if s.whole {
		unit = ""
	}
	values, step := s.roundValues(n)
	size := max(math.Abs(s.low), math.Abs(s.high))
	out := make([]tick, 0, len(values))
	for _, v := range values {
		if s.log && s.high/s.low >= 10 {
			step, size = v, v
		}
		out = append(out, tick{s.position(v), tickLabel(v, step, size) + suffix(unit)})
	}
	return out
}

func (s scale) roundValues(n int) (values []float64, step float64) {
	if s.log && s.high/s.low >= 10 {
		return decades(s.low, s.high, n), 0
	}
	for most := n + 8; n <= most; n++ {
		step = roundStep((s.high - s.low) / float64(n))
		if s.whole {
			step = wholeStep(step)
		}
		if values = multiples(s.low, s.high, step); len(values) > 1 {
			break
		}
	}
	return values, step
}

// roundStep is the smallest of 1, 2, 2.5 and 5 times a power of ten that is not
// below least.
func roundStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, f := range []float64{1, 2, 2.5, 5} {
		if f*power >= least*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// wholeStep is the smallest round step that is not below step and a whole number.
func wholeStep(step float64) float64 {
	if step = max(step, 1); step != math.Trunc(step) {
		return roundStep(2 * step)
	}
	return step
}

// multiples of step from low to high. There are none where step is lost beside the
// values.
func multiples(low, high, step float64) []float64 {
	if step <= math.Abs(low)*1e-13 || step <= math.Abs(high)*1e-13 {
		return nil
	}
	var out []float64
	slack := step * 1e-9
	for k := math.Ceil((low - slack) / step); k*step <= high+slack && len(out) < 100; k++ {
		out = append(out, k*step)
	}
	return out
}

// decades are powers of ten, with twice and five times them where there is room for
// all, and every so manyth power where there is no room for each.
func decades(low, high float64, n int) []float64 {
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	factors, stride := []float64{1, 2, 5}, 1.0
	if powers := math.Log10(high / low); powers*3 > float64(2*n) {
		factors = factors[:1]
		stride = max(1, math.Ceil(powers/float64(n)))
	}
	var out []float64
	for power := math.Ceil(first/stride) * stride; power <= last; power += stride {
		for _, f := range factors {
			if v := f * math.Pow(10, power); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				out = append(out, v)
			}
		}
	}
	return out
}
