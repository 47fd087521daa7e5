package optimize

import (
	"fmt"
	"math"
	"slices"
)

// CriticalPoint is a corner of the critical line, where a bound starts or stops binding.
type CriticalPoint struct {
	// Weight is the weight of the linear part. Between neighboring corners the optimum moves
	// linearly with it.
	Weight float64
	Point  []float64
}

// CriticalLine follows the optima of
//
//	minimize 1/2 x'Cx - w direction'z
//
// from w = 0 until a larger w no longer changes them. Corners are in order of w; the first is the optimum
// at w = 0. Source: H. Markowitz, "The Optimization of a Quadratic Function Subject to Linear Constraints",
// 1956. Starting from w = 0 avoids perturbations for equal largest directions.
func (q QuadraticProgram) CriticalLine(direction []float64) ([]CriticalPoint, error) {
	none := make([]float64, q.Constraints.Size())
	a, err := q.start(none)
	if err != nil {
		return nil, err
	}
	if len(direction) != len(none) {
		return nil, fmt.Errorf("%w: direction with %d entries for %d variables", ErrMalformed, len(direction), len(none))
	}
	if err := a.descend(none); err != nil {
		return nil, err
	}
	w := criticalWalk{activeSet: a, direction: negated(direction), corners: []CriticalPoint{{Point: slices.Clone(a.z)}}}
	for range 100*len(a.z) + 1000 {
		done, err := w.step()
		if err != nil {
			return nil, err
		}
		if done {
			return w.corners, nil
		}
	}
	return nil, fmt.Errorf("critical line: %w", ErrNotConverged)
}

type criticalWalk struct {
	*activeSet
	direction    []float64 // the linear part of weight one
	weight       float64
	stalledSteps int // steps without a larger weight
	restarts     int
	corners      []CriticalPoint
}

// step moves along the critical line to the next corner.
func (w *criticalWalk) step() (done bool, err error) {
	start, startPrices := w.solve(make([]float64, len(w.z)), true)
	pace, pacePrices := w.solve(w.direction, false)
	w.zeroNoise(pace)
	next, at, position := math.Inf(1), 0.0, -1
	for i, j := range w.free {
		bound := w.lower[j]
		if pace[i] > 0 {
			bound = w.upper[j]
		}
		if pace[i] == 0 || !w.rowsAllowMove(i) {
			continue
		}
		if event := max(w.weight, (bound-start[i])/pace[i]); event < next {
			next, at, position = event, bound, i
		}
	}
	variable, event := w.nextRelease(start, startPrices, pace, pacePrices)
	released := event < next
	next = min(next, event)
	if math.IsInf(next, 1) {
		return true, nil
	}
	for i, j := range w.free {
		w.z[j] = start[i] + next*pace[i]
	}
	if w.offConstraints() {
		return false, fmt.Errorf("critical line at weight %g: %w", next, ErrNotConverged)
	}
	if w.record(next); w.stalledSteps > len(w.z) {
		return false, w.restart()
	}
	if released {
		return false, w.release(variable)
	}
	w.z[w.free[position]] = at
	return false, w.fix(position)
}

// zeroNoise sets a movement that gains nothing to zero. It is only rounding, but would hit a distant bound.
func (w *criticalWalk) zeroNoise(pace []float64) {
	gain := 0.0
	for i, j := range w.free {
		gain -= w.direction[j] * pace[i]
	}
	if most := largest(w.direction); gain <= 1e-13*most*most/w.scale {
		clear(pace)
	}
}

// nextRelease returns the variable that leaves its bound next, and the weight at which it does.
func (w *criticalWalk) nextRelease(start, startPrices, pace, pacePrices []float64) (variable int, event float64) {
	a, b := slices.Clone(w.z), make([]float64, len(w.z))
	for i, j := range w.free {
		a[j], b[j] = start[i], pace[i]
	}
	ga, gb := w.gradient(a), w.gradient(b)
	variable, event = -1, math.Inf(1)
	steep := 1e-10 * largest(w.direction)
	for j := range w.z {
		if w.isFree[j] || w.lower[j] == w.upper[j] {
			continue
		}
		level := ga[j] - w.columns[j].dot(startPrices)
		slope := gb[j] + w.direction[j] - w.columns[j].dot(pacePrices)
		if w.atUpper(j) {
			level, slope = -level, -slope
		}
		if slope >= -steep {
			continue
		}
		if at := max(w.weight, -level/slope); at < event {
			variable, event = j, at
		}
	}
	return variable, event
}

// record stores the corner. An optimum that does not move over a range of weights is stored with the first
// and the last of them.
func (w *criticalWalk) record(next float64) {
	last := len(w.corners) - 1
	gained := next > w.corners[last].Weight*(1+1e-12)
	stood := last > 0 && !pointsDiffer(w.corners[last-1].Point, w.corners[last].Point)
	switch corner := (CriticalPoint{Weight: next, Point: slices.Clone(w.z)}); {
	case pointsDiffer(w.corners[last].Point, w.z), gained && !stood:
		w.corners = append(w.corners, corner)
	case gained:
		w.corners[last].Weight = next
	}
	w.stalledSteps++
	if next > w.weight {
		w.stalledSteps, w.weight = 0, next
	}
}

// restart solves the program at a slightly larger weight, to leave ties that would make the algorithm
// cycle.
func (w *criticalWalk) restart() error {
	if w.restarts++; w.restarts > len(w.z) {
		return fmt.Errorf("critical line at weight %g: %w", w.weight, ErrNotConverged)
	}
	w.weight += 1e-7 * max(w.weight, w.scale/max(largest(w.direction), 1e-300))
	w.stalledSteps = 0
	linear := make([]float64, len(w.direction))
	for i, v := range w.direction {
		linear[i] = w.weight * v
	}
	return w.descend(linear)
}

func pointsDiffer(a, b []float64) bool {
	for i, v := range a {
		if math.Abs(v-b[i]) > 1e-11 {
			return true
		}
	}
	return false
}
