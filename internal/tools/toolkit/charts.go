package toolkit

import (
	"fmt"
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
)

// minChartPoints is the fewest points worth a chart.
const minChartPoints = 2

// PriceChart draws candles if every bar has open, high and low, otherwise a line of closes.
func PriceChart(s market.Series) *chart.Spec {
	for _, b := range s.Bars {
		if !hasOHLC(b) {
			return ClosesChart(s)
		}
	}
	return CandleChart(s)
}

// hasOHLC reports whether a bar can be drawn as a candle.
func hasOHLC(b market.Bar) bool { return b.Open.Valid && b.High.Valid && b.Low.Valid }

// ClosesChart draws the closes of a series as a line, in the unit of the series.
func ClosesChart(s market.Series) *chart.Spec {
	if len(s.Bars) < minChartPoints {
		return nil
	}
	return &chart.Spec{
		Kind: chart.KindLine, Title: fmt.Sprintf("%s %s closes", s.Symbol, s.Interval), Unit: UnitOf(s.Provenance),
		Series: []chart.Series{{Times: seriesTimes(s), Values: closeValues(s)}},
	}
}

// CandleChart draws the bars that have open, high and low, with volume if known; other bars are
// gaps. It returns nil if no bar has all three.
func CandleChart(s market.Series) *chart.Spec {
	n := len(s.Bars)
	c := chart.Candles{
		Times: seriesTimes(s), Open: make(chart.Values, n), High: make(chart.Values, n), Low: make(chart.Values, n),
		Close: make(chart.Values, n), Volume: make(chart.Values, n),
	}
	drawn, traded := 0, false
	for i, b := range s.Bars {
		c.Volume[i] = floatOrNaN(b.Volume)
		traded = traded || b.Volume.Valid
		if !hasOHLC(b) {
			c.Open[i], c.High[i], c.Low[i], c.Close[i] = math.NaN(), math.NaN(), math.NaN(), math.NaN()
			continue
		}
		drawn++
		c.Open[i], c.High[i], c.Low[i], c.Close[i] = floatOrNaN(b.Open), floatOrNaN(b.High), floatOrNaN(b.Low), b.Close.InexactFloat64()
	}
	if drawn < minChartPoints {
		return nil
	}
	if !traded {
		c.Volume = nil
	}
	return &chart.Spec{Kind: chart.KindCandles, Title: fmt.Sprintf("%s %s bars", s.Symbol, s.Interval), Unit: UnitOf(s.Provenance), Candles: c}
}

// DrawdownChart draws the decline of each close from the previous peak in percent:
// close / max(closes so far) - 1. It returns nil if a close is not above zero.
func DrawdownChart(s market.Series) *chart.Spec {
	if len(s.Bars) < minChartPoints {
		return nil
	}
	values, high := closeValues(s), 0.0
	for i, v := range values {
		if v <= 0 {
			return nil
		}
		high = max(high, v)
		values[i] = (v/high - 1) * 100
	}
	return &chart.Spec{
		Kind: chart.KindDrawdown, Title: fmt.Sprintf("%s drawdown, %s closes", s.Symbol, s.Interval), Unit: "%",
		Series: []chart.Series{{Times: seriesTimes(s), Values: values}},
	}
}

// ReturnsHistogram draws the distribution of returns from one close to the next, in percent. It
// returns nil if a close is not above zero.
func ReturnsHistogram(s market.Series) *chart.Spec {
	closes := closeValues(s)
	if len(closes) <= minChartPoints {
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
	return FractionsHistogram(fmt.Sprintf("%s %s returns", s.Symbol, s.Interval), returns)
}

// FractionsHistogram draws the distribution of returns, given as fractions, in percent.
func FractionsHistogram(title string, returns []float64) *chart.Spec {
	if len(returns) < minChartPoints {
		return nil
	}
	values := make(chart.Values, len(returns))
	for i, r := range returns {
		values[i] = r * 100
	}
	return &chart.Spec{Kind: chart.KindHistogram, Title: title, Unit: "%", Series: []chart.Series{{Values: values}}}
}

// MaxComparedSeries is the most lines in one chart that stay distinguishable.
const MaxComparedSeries = 6

// CompareChart draws series rebased to 100 at their start. It draws at most MaxComparedSeries of
// them, and its title then says how many there are.
func CompareChart(series []market.Series) *chart.Spec {
	if len(series) < 2 || len(series[0].Bars) < minChartPoints {
		return nil
	}
	drawn := series[:min(len(series), MaxComparedSeries)]
	out := &chart.Spec{Kind: chart.KindCompare, Title: fmt.Sprintf("%s closes", series[0].Interval)}
	if len(drawn) < len(series) {
		out.Title += fmt.Sprintf(", the first %d of %d", len(drawn), len(series))
	}
	for _, s := range drawn {
		out.Series = append(out.Series, chart.Series{Name: string(s.Symbol), Times: seriesTimes(s), Values: closeValues(s)})
	}
	return out
}

func seriesTimes(s market.Series) []time.Time {
	dates := make([]time.Time, len(s.Bars))
	for i, b := range s.Bars {
		dates[i] = b.Date
	}
	return dates
}

func closeValues(s market.Series) chart.Values {
	closes := make(chart.Values, len(s.Bars))
	for i, b := range s.Bars {
		closes[i] = b.Close.InexactFloat64()
	}
	return closes
}

func floatOrNaN(d decimal.NullDecimal) float64 {
	if !d.Valid {
		return math.NaN()
	}
	return d.Decimal.InexactFloat64()
}
