package fixedincome

import "math"

const (
	gridSteps     = 4000 // of a scan for roots
	maxHalvings   = 200  // more than a float64 can resolve
	maxNarrowings = 80   // of a search for an extremum, by 0.618 each
	// touchTolerance is how near to zero an extremum counts as a root, relative to the values a
	// step away. A root that only touches zero is known no better, because rounding moves it by
	// that much. Two roots within a ten-thousandth of a percent count as one.
	touchTolerance = 1e-9
)

// roots returns every place between low and high where f is zero, ascending. Between two steps
// of the grid it finds a change of sign, or an extremum that touches zero. It also finds two
// roots that are closer than a step, because it looks at the extremum between them.
func roots(f func(float64) float64, low, high float64) []float64 {
	step := (high - low) / gridSteps
	var found []float64
	add := func(x float64) {
		if n := len(found); n == 0 || x-found[n-1] > 1e-9 {
			found = append(found, x)
		}
	}
	before, at := math.NaN(), f(low)
	for i := 1; i <= gridSteps; i++ {
		x := low + float64(i)*step
		next := f(x)
		switch {
		case at == 0:
			add(x - step)
		case at < 0 != (next < 0) && next != 0:
			add(bisect(f, x-step, x))
		case isExtremum(before, at, next):
			for _, r := range rootsNearExtremum(f, x-2*step, x, at) {
				add(r)
			}
		}
		before, at = at, next
	}
	if at == 0 {
		add(high)
	}
	return found
}

// isExtremum reports whether the middle of three values of one sign is the closest
// to zero.
func isExtremum(before, at, next float64) bool {
	return before < 0 == (at < 0) && math.Abs(at) <= math.Abs(before) && math.Abs(at) <= math.Abs(next)
}

// rootsNearExtremum looks for roots around an extremum between low and high, where f has
// the sign of outside at both ends.
func rootsNearExtremum(f func(float64) float64, low, high, outside float64) []float64 {
	toward := func(x float64) float64 { return math.Copysign(1, outside) * f(x) }
	a, b := low, high
	for range maxNarrowings {
		left, right := a+(b-a)*0.382, a+(b-a)*0.618
		if toward(left) < toward(right) {
			b = right
		} else {
			a = left
		}
	}
	turn := (a + b) / 2
	scale := math.Max(math.Abs(f(low)), math.Abs(f(high)))
	switch depth := toward(turn); {
	case math.Abs(depth) <= touchTolerance*scale:
		return []float64{turn}
	case depth < 0:
		return []float64{bisect(f, low, turn), bisect(f, turn, high)}
	}
	return nil
}

// bisect finds the zero of f between two points of different sign.
func bisect(f func(float64) float64, low, high float64) float64 {
	negative := f(low) < 0
	for range maxHalvings {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if f(middle) < 0 == negative {
			low = middle
		} else {
			high = middle
		}
	}
	return low + (high-low)/2
}
