package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// indicatorKind is one kind of indicator.
type indicatorKind struct {
	name     string
	title    string
	defaults []float64 // default parameters
	factors  []int     // indexes of parameters that are factors, not numbers of bars
	ranges   bool      // needs highs and lows
	volumes  bool      // needs volume
	anchored bool      // starts at the first bar, so it depends on the range
	wilder   bool      // uses Wilder's smoothing, which decays half as fast
	unit     string    // "" means the unit of the price
	outputs  []string  // "" for a single output
	compute  func(b indicator.Bars, n []float64) [][]float64
}

// indicatorKinds returns the available indicators in the order of the list.
func indicatorKinds() []indicatorKind {
	return append(closeIndicators(), append(rangeIndicators(), volumeIndicators()...)...)
}

const (
	unitOfHundred = "of 100"
	unitPercent   = "%"
	unitShares    = "shares"
)

func closeIndicators() []indicatorKind {
	return []indicatorKind{
		{name: "sma", title: "simple moving average", defaults: []float64{20},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.SMA(b.Close, int(n[0]))) }},
		{name: "ema", title: "exponential moving average", defaults: []float64{20},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.EMA(b.Close, int(n[0]))) }},
		{name: "rsi", title: "relative strength index", defaults: []float64{14}, wilder: true, unit: unitOfHundred,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.RSI(b.Close, int(n[0]))) }},
		{name: "macd", title: "moving average convergence/divergence", defaults: []float64{12, 26, 9}, outputs: []string{"line", "signal", "histogram"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				m := indicator.MACD(b.Close, int(n[0]), int(n[1]), int(n[2]))
				return [][]float64{m.Line, m.Signal, m.Histogram}
			}},
		{name: "bbands", title: "Bollinger bands", defaults: []float64{20, 2}, factors: []int{1}, outputs: bandNames(),
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return bandColumns(indicator.Bollinger(b.Close, int(n[0]), n[1]))
			}},
		{name: "roc", title: "rate of change", defaults: []float64{12}, unit: unitPercent,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.ROC(b.Close, int(n[0]))) }},
	}
}

func rangeIndicators() []indicatorKind {
	out := []indicatorKind{
		{name: "atr", title: "average true range", defaults: []float64{14}, wilder: true,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.ATR(b, int(n[0]))) }},
		{name: "adx", title: "average directional index", defaults: []float64{14}, wilder: true, unit: unitOfHundred, outputs: []string{"index", "plus_di", "minus_di"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				m := indicator.ADX(b, int(n[0]))
				return [][]float64{m.ADX, m.Plus, m.Minus}
			}},
		{name: "stoch", title: "stochastic oscillator", defaults: []float64{14, 3, 3}, unit: unitOfHundred, outputs: []string{"k", "d"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return twoColumns(indicator.Stochastic(b, int(n[0]), int(n[1]), int(n[2])))
			}},
		{name: "cci", title: "commodity channel index", defaults: []float64{20}, unit: "index",
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.CCI(b, int(n[0]))) }},
		{name: "willr", title: "Williams' percent range", defaults: []float64{14}, unit: unitOfHundred,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.WilliamsR(b, int(n[0]))) }},
		{name: "ichimoku", title: "ichimoku cloud", defaults: []float64{9, 26, 52}, outputs: []string{"conversion", "base", "span_a", "span_b", "lagging"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				c := indicator.Ichimoku(b, int(n[0]), int(n[1]), int(n[2]))
				return [][]float64{c.Conversion, c.Base, c.SpanA, c.SpanB, c.Lagging}
			}},
		{name: "aroon", title: "Aroon", defaults: []float64{25}, unit: unitOfHundred, outputs: []string{"up", "down"},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return twoColumns(indicator.Aroon(b, int(n[0]))) }},
		{name: "psar", title: "parabolic stop and reverse", defaults: []float64{0.02, 0.2}, factors: []int{0, 1},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return oneColumn(indicator.ParabolicSAR(b, n[0], n[1]))
			}},
		{name: "donchian", title: "Donchian channel", defaults: []float64{20}, outputs: bandNames(),
			compute: func(b indicator.Bars, n []float64) [][]float64 { return bandColumns(indicator.Donchian(b, int(n[0]))) }},
		{name: "keltner", title: "Keltner channel", defaults: []float64{20, 2, 10}, factors: []int{1}, outputs: bandNames(),
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return bandColumns(indicator.Keltner(b, int(n[0]), n[1], int(n[2])))
			}},
	}
	for i := range out {
		out[i].ranges = true
	}
	return out
}

func volumeIndicators() []indicatorKind {
	return []indicatorKind{
		{name: "obv", title: "on-balance volume", volumes: true, anchored: true, unit: unitShares,
			compute: func(b indicator.Bars, _ []float64) [][]float64 { return oneColumn(indicator.OBV(b)) }},
		{name: "mfi", title: "money flow index", defaults: []float64{14}, ranges: true, volumes: true, unit: unitOfHundred,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return oneColumn(indicator.MFI(b, int(n[0]))) }},
		{name: "vwap", title: "volume-weighted average price", ranges: true, volumes: true, anchored: true,
			compute: func(b indicator.Bars, _ []float64) [][]float64 { return oneColumn(indicator.VWAP(b)) }},
	}
}

func oneColumn(column []float64) [][]float64 { return [][]float64{column} }

func twoColumns(a, b []float64) [][]float64 { return [][]float64{a, b} }

func bandColumns(c indicator.Channel) [][]float64 { return [][]float64{c.Upper, c.Middle, c.Lower} }

func bandNames() []string { return []string{"upper", "middle", "lower"} }

// missingInput returns what the bars lack for the indicator, or "".
func (s indicatorKind) missingInput(bars []market.Bar) string {
	var ranged, traded bool
	for _, b := range bars {
		ranged = ranged || b.High.Valid && b.Low.Valid
		traded = traded || b.Volume.Valid && b.Volume.Decimal.IsPositive()
	}
	switch {
	case s.ranges && !ranged && s.volumes && !traded:
		return "needs high, low and volume, but this series has only closes"
	case s.ranges && !ranged:
		return "needs high and low, but this series has none"
	case s.volumes && !traded:
		return "needs volume, but this series has none"
	}
	return ""
}

// usage returns how the indicator is written: "macd:12,26,9".
func (s indicatorKind) usage() string { return specName(s.name, s.defaults) }

func indicatorUsages() string {
	var names []string
	for _, s := range indicatorKinds() {
		names = append(names, s.usage())
	}
	return strings.Join(names, ", ")
}

// format formats a value for people.
func (s indicatorKind) format(v *float64) string {
	switch {
	case v != nil && s.unit == unitPercent:
		return toolkit.Format(*v/100, toolkit.Change, "")
	case s.unit == "":
		return toolkit.Format(v, toolkit.Price, "")
	}
	return toolkit.Format(v, toolkit.Number, "")
}

// formula returns a description of the computation, shown next to the number.
func (s indicatorKind) formula(n []float64) string {
	if len(n) == 0 {
		return s.title
	}
	return fmt.Sprintf("%s (%s)", s.title, formatParameters(n))
}

const (
	maxLookback  = 5000 // bars: twenty years of sessions
	maxBandWidth = 100
)

// indicatorSpec is a requested indicator: "macd:12,26,9".
type indicatorSpec struct {
	indicatorKind
	parameters []float64
}

// parseSpec parses a name and, after a colon, its parameters; omitted ones get their defaults. Case and
// spaces do not matter.
func parseSpec(text string) (indicatorSpec, error) {
	name, list, hasParameters := strings.Cut(strings.ToLower(strings.Join(strings.Fields(text), "")), ":")
	for _, s := range indicatorKinds() {
		if s.name != name {
			continue
		}
		n := append([]float64{}, s.defaults...)
		if hasParameters {
			if err := parseParameters(list, n); err != nil {
				return indicatorSpec{}, fmt.Errorf("%w; use, for example, %s", err, s.usage())
			}
		}
		one := indicatorSpec{indicatorKind: s, parameters: n}
		return one, one.check()
	}
	return indicatorSpec{}, fmt.Errorf("unknown indicator; use %s", indicatorUsages())
}

func parseParameters(list string, into []float64) error {
	parts := strings.Split(list, ",")
	if len(parts) > len(into) {
		return fmt.Errorf("too many numbers: %d", len(parts))
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is not a number", part)
		}
		into[i] = v
	}
	return nil
}

// check returns an error for invalid parameters.
func (s indicatorSpec) check() error {
	for i, v := range s.parameters {
		factor := slices.Contains(s.factors, i)
		switch {
		case !factor && (v != math.Trunc(v) || v < 1 || v > maxLookback):
			return fmt.Errorf("%v is not a number of bars; use a whole number from 1 to %d, as in %s", v, maxLookback, s.usage())
		case factor && (v <= 0 || v > maxBandWidth):
			return fmt.Errorf("%v is not a valid factor; use a number above 0 up to %d, as in %s", v, maxBandWidth, s.usage())
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

// minWarmUp is the fewest bars fetched before a range, enough for indicators such as psar that depend
// on their last reversal.
const minWarmUp = 400

// warmUpOf returns how many bars before a range the indicators need, so that earlier bars no longer
// affect them.
func warmUpOf(specs []indicatorSpec) int {
	most := minWarmUp
	for _, s := range specs {
		most = max(most, s.warmUp())
	}
	return most
}

// warmUp returns three times the lengths of an indicator, after which an exponential average still
// contains only 1/400 of its start.
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

// key returns the canonical name of the indicator with all parameters.
func (s indicatorSpec) key() string { return specName(s.name, s.parameters) }

// column returns the name of an output, which is the key if there is only one.
func (s indicatorSpec) column(output string) string {
	if output == "" {
		return s.key()
	}
	return s.key() + "." + output
}

// outputNames returns the names of the outputs: "" for a single one.
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
