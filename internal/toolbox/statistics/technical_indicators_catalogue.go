package statistics

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
	"github.com/nfa-cli/nfa/internal/market"
)

// study is one kind of indicator that can be asked for.
type study struct {
	name     string
	title    string
	defaults []float64 // its numbers where they are left out
	factors  []int     // which of them are no number of bars
	ranges   bool      // it needs highs and lows
	volumes  bool      // it needs volume
	anchored bool      // it counts from the first bar, so that the range decides it
	wilder   bool      // it is smoothed as Wilder does, who forgets half as fast as others
	unit     string    // "" is that of the price
	outputs  []string  // "" for the only one
	compute  func(b indicator.Bars, n []float64) [][]float64
}

// studies are the indicators on offer, in the order in which they are listed.
func studies() []study {
	return append(closeStudies(), append(rangeStudies(), volumeStudies()...)...)
}

const (
	ofHundred = "of 100"
	perCent   = "%"
	inShares  = "shares"
)

func closeStudies() []study {
	return []study{
		{name: "sma", title: "simple moving average", defaults: []float64{20},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.SMA(b.Close, int(n[0]))) }},
		{name: "ema", title: "exponential moving average", defaults: []float64{20},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.EMA(b.Close, int(n[0]))) }},
		{name: "rsi", title: "relative strength index", defaults: []float64{14}, wilder: true, unit: ofHundred,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.RSI(b.Close, int(n[0]))) }},
		{name: "macd", title: "moving average convergence/divergence", defaults: []float64{12, 26, 9}, outputs: []string{"line", "signal", "histogram"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				m := indicator.MACD(b.Close, int(n[0]), int(n[1]), int(n[2]))
				return [][]float64{m.Line, m.Signal, m.Histogram}
			}},
		{name: "bbands", title: "Bollinger bands", defaults: []float64{20, 2}, factors: []int{1}, outputs: bandNames(),
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return bands(indicator.Bollinger(b.Close, int(n[0]), n[1]))
			}},
		{name: "roc", title: "rate of change", defaults: []float64{12}, unit: perCent,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.ROC(b.Close, int(n[0]))) }},
	}
}

func rangeStudies() []study {
	out := []study{
		{name: "atr", title: "average true range", defaults: []float64{14}, wilder: true,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.ATR(b, int(n[0]))) }},
		{name: "adx", title: "average directional index", defaults: []float64{14}, wilder: true, unit: ofHundred, outputs: []string{"index", "plus_di", "minus_di"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				m := indicator.ADX(b, int(n[0]))
				return [][]float64{m.Index, m.Plus, m.Minus}
			}},
		{name: "stoch", title: "stochastic oscillator", defaults: []float64{14, 3, 3}, unit: ofHundred, outputs: []string{"k", "d"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return two(indicator.Stochastic(b, int(n[0]), int(n[1]), int(n[2])))
			}},
		{name: "cci", title: "commodity channel index", defaults: []float64{20}, unit: "index",
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.CCI(b, int(n[0]))) }},
		{name: "willr", title: "Williams' percent range", defaults: []float64{14}, unit: ofHundred,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.WilliamsR(b, int(n[0]))) }},
		{name: "ichimoku", title: "ichimoku cloud", defaults: []float64{9, 26, 52}, outputs: []string{"conversion", "base", "span_a", "span_b", "lagging"},
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				c := indicator.Ichimoku(b, int(n[0]), int(n[1]), int(n[2]))
				return [][]float64{c.Conversion, c.Base, c.SpanA, c.SpanB, c.Lagging}
			}},
		{name: "aroon", title: "Aroon", defaults: []float64{25}, unit: ofHundred, outputs: []string{"up", "down"},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return two(indicator.Aroon(b, int(n[0]))) }},
		{name: "psar", title: "parabolic stop and reverse", defaults: []float64{0.02, 0.2}, factors: []int{0, 1},
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.ParabolicSAR(b, n[0], n[1])) }},
		{name: "donchian", title: "Donchian channel", defaults: []float64{20}, outputs: bandNames(),
			compute: func(b indicator.Bars, n []float64) [][]float64 { return bands(indicator.Donchian(b, int(n[0]))) }},
		{name: "keltner", title: "Keltner channel", defaults: []float64{20, 2, 10}, factors: []int{1}, outputs: bandNames(),
			compute: func(b indicator.Bars, n []float64) [][]float64 {
				return bands(indicator.Keltner(b, int(n[0]), n[1], int(n[2])))
			}},
	}
	for i := range out {
		out[i].ranges = true
	}
	return out
}

func volumeStudies() []study {
	return []study{
		{name: "obv", title: "on-balance volume", volumes: true, anchored: true, unit: inShares,
			compute: func(b indicator.Bars, _ []float64) [][]float64 { return one(indicator.OBV(b)) }},
		{name: "mfi", title: "money flow index", defaults: []float64{14}, ranges: true, volumes: true, unit: ofHundred,
			compute: func(b indicator.Bars, n []float64) [][]float64 { return one(indicator.MFI(b, int(n[0]))) }},
		{name: "vwap", title: "volume-weighted average price", ranges: true, volumes: true, anchored: true,
			compute: func(b indicator.Bars, _ []float64) [][]float64 { return one(indicator.VWAP(b)) }},
	}
}

func one(column []float64) [][]float64 { return [][]float64{column} }

func two(a, b []float64) [][]float64 { return [][]float64{a, b} }

func bands(c indicator.Channel) [][]float64 { return [][]float64{c.Upper, c.Middle, c.Lower} }

func bandNames() []string { return []string{"upper", "middle", "lower"} }

// lacks says what the bars are missing for a study, or "".
func (s study) lacks(bars []market.Bar) string {
	var ranged, traded bool
	for _, b := range bars {
		ranged = ranged || b.High.Valid && b.Low.Valid
		traded = traded || b.Volume.Valid && b.Volume.Decimal.IsPositive()
	}
	switch {
	case s.ranges && !ranged && s.volumes && !traded:
		return "it needs highs, lows and volume, and this series has closes only"
	case s.ranges && !ranged:
		return "it needs highs and lows, and this series has none"
	case s.volumes && !traded:
		return "it needs volume, and this series has none"
	}
	return ""
}

// usage shows how a study is written: "macd:12,26,9".
func (s study) usage() string { return specName(s.name, s.defaults) }

func offeredStudies() string {
	var names []string
	for _, s := range studies() {
		names = append(names, s.usage())
	}
	return strings.Join(names, ", ")
}

// formula is how an output came about, in words that stand beside the number.
func (s study) formula(n []float64) string {
	if len(n) == 0 {
		return s.title
	}
	return fmt.Sprintf("%s (%s)", s.title, numbers(n))
}
