// Package drawing makes charts of what tools found: prices, falls, returns, and
// series against each other. What cannot be drawn as it is meant has no chart: the
// functions give nil then, and a tool's result is whole without one.
package drawing

import (
	"fmt"
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// fewest is how many points make a chart: of fewer the numbers say it all.
const fewest = 2

// Prices draws candles where every bar has its open, high and low, else closes.
func Prices(s market.Series) *chart.Spec {
	for _, b := range s.Bars {
		if !whole(b) {
			return Closes(s)
		}
	}
	return Candles(s)
}

// whole reports whether a bar can be drawn as a candle.
func whole(b market.Bar) bool { return b.Open.Valid && b.High.Valid && b.Low.Valid }

// Closes draws the closes of a series as a line, in what they are counted in.
func Closes(s market.Series) *chart.Spec {
	if len(s.Bars) < fewest {
		return nil
	}
	return &chart.Spec{
		Kind: chart.KindLine, Title: fmt.Sprintf("%s %s closes", s.Symbol, s.Interval), Unit: present.UnitOf(s.Provenance),
		Series: []chart.Series{{Times: datesOf(s), Values: closesOf(s)}},
	}
}

// Candles draws the bars that have their open, high and low, with their volume where
// it is known; the others are gaps. Where none has, it is nil.
func Candles(s market.Series) *chart.Spec {
	n := len(s.Bars)
	c := chart.Candles{
		Times: datesOf(s), Open: make(chart.Values, n), High: make(chart.Values, n), Low: make(chart.Values, n),
		Close: make(chart.Values, n), Volume: make(chart.Values, n),
	}
	drawn, traded := 0, false
	for i, b := range s.Bars {
		c.Volume[i] = optional(b.Volume)
		traded = traded || b.Volume.Valid
		if !whole(b) {
			c.Open[i], c.High[i], c.Low[i], c.Close[i] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
			continue
		}
		drawn++
		c.Open[i], c.High[i], c.Low[i], c.Close[i] = optional(b.Open), optional(b.High), optional(b.Low), b.Close.InexactFloat64()
	}
	if drawn < fewest {
		return nil
	}
	if !traded {
		c.Volume = nil
	}
	return &chart.Spec{Kind: chart.KindCandles, Title: fmt.Sprintf("%s %s bars", s.Symbol, s.Interval), Unit: present.UnitOf(s.Provenance), Candles: c}
}

// Drawdown draws how far below the highest close before it each close stood, in per
// cent: close / max(close until then) - 1. It is nil where a close is not above zero.
func Drawdown(s market.Series) *chart.Spec {
	if len(s.Bars) < fewest {
		return nil
	}
	values, high := closesOf(s), 0.0
	for i, v := range values {
		if v <= 0 {
			return nil
		}
		high = max(high, v)
		values[i] = (v/high - 1) * 100
	}
	return &chart.Spec{
		Kind: chart.KindDrawdown, Title: fmt.Sprintf("%s drawdown, %s closes", s.Symbol, s.Interval), Unit: "%",
		Series: []chart.Series{{Times: datesOf(s), Values: values}},
	}
}

// Returns draws how often returns from one close to the next occur, in per cent. It is
// nil where a close is not above zero.
func Returns(s market.Series) *chart.Spec {
	closes := closesOf(s)
	if len(closes) <= fewest {
		return nil
	}
	returns := make([]float64, 0, len(closes)-1)
	for i, v := range closes {
		switch {
		case v <= 0:
			return nil
		case i > 0:
			returns = append(returns, v/closes[i-1]-1)
		}
	}
	return Fractions(fmt.Sprintf("%s %s returns", s.Symbol, s.Interval), returns)
}

// Fractions draws how often returns occur, which are given as fractions, in per cent.
func Fractions(title string, returns []float64) *chart.Spec {
	if len(returns) < fewest {
		return nil
	}
	values := make(chart.Values, len(returns))
	for i, r := range returns {
		values[i] = r * 100
	}
	return &chart.Spec{Kind: chart.KindHistogram, Title: title, Unit: "%", Series: []chart.Series{{Values: values}}}
}

// MostCompared is how many lines a chart can tell apart.
const MostCompared = 6

// Compared draws series against each other, each at 100 where they begin. Of more than
// six it draws the first, and says of how many they are.
func Compared(series []market.Series) *chart.Spec {
	if len(series) < 2 || len(series[0].Bars) < fewest {
		return nil
	}
	drawn := series[:min(len(series), MostCompared)]
	out := &chart.Spec{Kind: chart.KindCompare, Title: fmt.Sprintf("%s closes", series[0].Interval)}
	if len(drawn) < len(series) {
		out.Title += fmt.Sprintf(", the first %d of %d", len(drawn), len(series))
	}
	for _, s := range drawn {
		out.Series = append(out.Series, chart.Series{Name: string(s.Symbol), Times: datesOf(s), Values: closesOf(s)})
	}
	return out
}

func datesOf(s market.Series) []time.Time {
	dates := make([]time.Time, len(s.Bars))
	for i, b := range s.Bars {
		dates[i] = b.Date
	}
	return dates
}

func closesOf(s market.Series) chart.Values {
	closes := make(chart.Values, len(s.Bars))
	for i, b := range s.Bars {
		closes[i] = b.Close.InexactFloat64()
	}
	return closes
}

func optional(d decimal.NullDecimal) float64 {
	if !d.Valid {
		return math.NaN()
	}
	return d.Decimal.InexactFloat64()
}
