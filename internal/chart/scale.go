package chart

import "math"

// MaxMagnitude and MinMagnitude bound the values that are drawn. Market figures are within them,
// and scales would overflow beyond.
const (
	MaxMagnitude = 1e150
	MinMagnitude = 1e-150
)

// isDrawable reports whether v can be drawn; other values become gaps.
func isDrawable(v float64) bool { return math.Abs(v) <= MaxMagnitude }

// Scale maps values to positions from 0, its lowest value, to 1.
type Scale struct {
	Low, High float64
	Log       bool
	flat      bool // equal values are all in the middle
	Whole     bool // counts, without fractions and unit
}

// ValueRange collects the range of values.
type ValueRange struct {
	Low, High float64
	NonEmpty  bool
}

// Add widens e to include the known values.
func (e *ValueRange) Add(values ...float64) {
	for _, v := range values {
		switch {
		case !isDrawable(v):
		case !e.NonEmpty:
			e.Low, e.High, e.NonEmpty = v, v, true
		default:
			e.Low, e.High = min(e.Low, v), max(e.High, v)
		}
	}
}

// roundingTolerance is how far equal values may differ through rounding, as a fraction of them. A
// scale over that range would show noise as a trend.
const roundingTolerance = 1e-10

// Scale returns a scale that spans exactly the range. A single value is in the middle. The scale is
// linear if the range includes values without a logarithm.
func (e ValueRange) Scale(log bool) Scale {
	s := Scale{Low: e.Low, High: e.High, Log: log && e.Low >= MinMagnitude}
	if e.High-e.Low >= max(MinMagnitude, roundingTolerance*max(math.Abs(e.Low), math.Abs(e.High))) {
		return s
	}
	pad := math.Abs(e.Low) / 20
	if pad < MinMagnitude {
		pad = 1
	}
	s.Low, s.High, s.flat = e.Low-pad, e.High+pad, true
	return s
}

// Position returns where v is between 0 and 1. It is NaN for an unknown value, and for a value
// without a logarithm on a log scale.
func (s Scale) Position(v float64) float64 {
	switch {
	case !isDrawable(v) || s.Log && v < MinMagnitude:
		return math.NaN()
	case s.flat && math.Abs(v-(s.Low+s.High)/2) <= roundingTolerance*math.Abs(v):
		return 0.5
	case s.Log:
		return clamp(math.Log(v/s.Low) / math.Log(s.High/s.Low))
	}
	return clamp((v - s.Low) / (s.High - s.Low))
}

func clamp(position float64) float64 {
	// On a log scale so narrow that log(High/Low) is zero, the division yields NaN: all values are in the
	// middle.
	if math.IsNaN(position) {
		return 0.5
	}
	return min(max(position, 0), 1)
}

// Tick is a labeled value of a scale.
type Tick struct {
	Position float64
	Label    string
}

// Ticks returns about n round values of the scale, lowest first.
func (s Scale) Ticks(n int, unit string) []Tick {
	if s.Whole {
		unit = ""
	}
	values, step := s.roundValues(n)
	size := max(math.Abs(s.Low), math.Abs(s.High))
	out := make([]Tick, 0, len(values))
	for _, v := range values {
		if s.Log && s.High/s.Low >= 10 {
			step, size = v, v
		}
		out = append(out, Tick{s.Position(v), tickLabel(v, step, size) + unitSuffix(unit)})
	}
	return out
}

func (s Scale) roundValues(n int) (values []float64, step float64) {
	if s.Log && s.High/s.Low >= 10 {
		return decades(s.Low, s.High, n), 0
	}
	for most := n + 8; n <= most; n++ {
		step = roundStep((s.High - s.Low) / float64(n))
		if s.Whole {
			step = wholeStep(step)
		}
		if values = multiples(s.Low, s.High, step); len(values) > 1 {
			break
		}
	}
	return values, step
}

// roundStep returns the smallest of 1, 2, 2.5 and 5 times a power of ten that is at least least.
func roundStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, f := range []float64{1, 2, 2.5, 5} {
		if f*power >= least*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// wholeStep returns the smallest round step that is a whole number and at least step.
func wholeStep(step float64) float64 {
	if step = max(step, 1); step != math.Trunc(step) {
		return roundStep(2 * step)
	}
	return step
}

// multiples returns the multiples of step from low to high. It returns none if step is too small to
// change the values.
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

// decades returns about n ticks: 1, 2 and 5 times each power of ten if they fit, otherwise the powers of
// ten, skipping some if there are too many.
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
