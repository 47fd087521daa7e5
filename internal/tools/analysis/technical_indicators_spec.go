package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	maxLookback  = 5000 // bars: twenty years of sessions
	maxBandWidth = 100
)

// indicatorSpec is an indicator as it was asked for: "macd:12,26,9".
type indicatorSpec struct {
	indicatorKind
	parameters []float64
}

// parseSpec reads a name, and after a colon its numbers; those left out at the
// end are the usual ones. Case and spaces do not matter.
func parseSpec(text string) (indicatorSpec, error) {
	name, list, given := strings.Cut(strings.ToLower(strings.Join(strings.Fields(text), "")), ":")
	for _, s := range indicatorKinds() {
		if s.name != name {
			continue
		}
		n := append([]float64{}, s.defaults...)
		if given {
			if err := parseParameters(list, n); err != nil {
				return indicatorSpec{}, fmt.Errorf("%w; write %s", err, s.usage())
			}
		}
		one := indicatorSpec{indicatorKind: s, parameters: n}
		return one, one.check()
	}
	return indicatorSpec{}, fmt.Errorf("it is not offered; there are %s", indicatorUsages())
}

func parseParameters(list string, into []float64) error {
	parts := strings.Split(list, ",")
	if len(parts) > len(into) {
		return fmt.Errorf("%d numbers are too many", len(parts))
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is no number", part)
		}
		into[i] = v
	}
	return nil
}

// check refuses numbers that make no indicator.
func (s indicatorSpec) check() error {
	for i, v := range s.parameters {
		factor := slices.Contains(s.factors, i)
		switch {
		case !factor && (v != math.Trunc(v) || v < 1 || v > maxLookback):
			return fmt.Errorf("%v is no number of bars; give a whole one from 1 to %d, as in %s", v, maxLookback, s.usage())
		case factor && (v <= 0 || v > maxBandWidth):
			return fmt.Errorf("%v is no factor; give one above 0 and up to %d, as in %s", v, maxBandWidth, s.usage())
		}
	}
	switch {
	case s.name == "macd" && s.parameters[0] >= s.parameters[1]:
		return fmt.Errorf("the first length, %v, must be shorter than the second, %v, as in %s", s.parameters[0], s.parameters[1], s.usage())
	case s.name == "psar" && s.parameters[0] > s.parameters[1]:
		return fmt.Errorf("the step, %v, must not exceed its limit, %v, as in %s", s.parameters[0], s.parameters[1], s.usage())
	}
	return nil
}

// minWarmUp is how many bars are fetched before a range at least: what is known
// only by its last turn, as psar, has turned by then.
const minWarmUp = 400

// warmUpOf is how many bars before a range the indicators need, so that what came
// before those no longer shows in them.
func warmUpOf(specs []indicatorSpec) int {
	most := minWarmUp
	for _, s := range specs {
		most = max(most, s.warmUp())
	}
	return most
}

// warmUp is three times the lengths of an indicator: an exponential average has
// forgotten all but a four-hundredth by then.
func (s indicatorSpec) warmUp() int {
	var n float64
	for i, v := range s.parameters {
		if !slices.Contains(s.factors, i) {
			n += v
		}
	}
	if s.wilder {
		n *= 2
	}
	return 3 * int(n)
}

// key names the indicator with all of its numbers, in one spelling.
func (s indicatorSpec) key() string { return specName(s.name, s.parameters) }

// column is the name of an output: the key alone where there is only one.
func (s indicatorSpec) column(output string) string {
	if output == "" {
		return s.key()
	}
	return s.key() + "." + output
}

// outputNames are its outputs' names: "" for the only one.
func (s indicatorSpec) outputNames() []string {
	if len(s.outputs) == 0 {
		return []string{""}
	}
	return s.outputs
}

func specName(name string, n []float64) string {
	if len(n) == 0 {
		return name
	}
	return name + ":" + formatParameters(n)
}

func formatParameters(n []float64) string {
	texts := make([]string, len(n))
	for i, v := range n {
		texts[i] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strings.Join(texts, ",")
}
