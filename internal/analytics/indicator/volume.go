package indicator

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// OBV returns the on-balance volume: a running total that adds the volume of bars with a higher close
// and subtracts that of bars with a lower close. Seed: 0 at the first bar of a run, so only its
// changes are meaningful. No warm-up. Source: J. Granville, "Granville's New Key to Stock Market
// Profits", 1963.
func OBV(b Bars) []float64 {
	out := undefinedColumn(b.Len())
	for from, to := range gaplessRuns(1, b.Close, b.Volume) {
		out[from] = 0
		for i := from + 1; i < to; i++ {
			out[i] = out[i-1] + signOfChange(b.Close[i-1], b.Close[i])*b.Volume[i]
		}
	}
	return out
}

// signOfChange returns 1 for a rise, -1 for a decline, else 0.
func signOfChange(before, at float64) float64 {
	switch {
	case at > before:
		return 1
	case at < before:
		return -1
	}
	return 0
}

// MFI returns the money flow index, 0 to 100: with the flow (H+L+C)/3 * volume of a bar,
//
//	100 * P / (P + N)
//
// where P sums the flows of the last n bars with a higher typical price, N those with a lower one. Warm-up:
// n. Undefined if both are zero. Usual length: 14. Source: G. Quong and A. Soudack, Technical Analysis of
// Stocks & Commodities 7, 1989.
func MFI(b Bars, n int) []float64 {
	typical := b.typical()
	flow := func(direction float64) []float64 {
		return rolling(combineWithPrevious(func(before, at int) float64 {
			if signOfChange(typical[before], typical[at]) != direction {
				return 0
			}
			return typical[at] * b.Volume[at]
		}, typical, b.Volume), n, floats.Sum)
	}
	return combineColumns(func(v ...float64) float64 { return 100 * ratio(v[0], v[0]+v[1]) }, flow(1), flow(-1))
}

// VWAP returns the volume-weighted average price since the first bar of the run:
//
//	sum (H+L+C)/3 * volume / sum volume
//
// Over the bars of one session it is the usual VWAP. Over daily bars it is anchored at the first date and
// depends on it. No warm-up. Undefined until there was volume. Source: StockCharts ChartSchool,
// "Volume-Weighted Average Price (VWAP)" and "Anchored VWAP".
func VWAP(b Bars) []float64 {
	typical, out := b.typical(), undefinedColumn(b.Len())
	for from, to := range gaplessRuns(1, typical, b.Volume) {
		var value, volume float64
		for i := from; i < to; i++ {
			value += typical[i] * b.Volume[i]
			volume += b.Volume[i]
			out[i] = ratio(value, volume)
		}
	}
	return out
}

// TrueRange returns the range of a bar, including the jump from the previous close:
//
//	max(H - L, |H - C[t-1]|, |L - C[t-1]|)
//
// For the first bar of a run it is H - L. No warm-up. Source: Wilder, as RSI.
func TrueRange(b Bars) []float64 {
	out := combineColumns(difference, b.High, b.Low)
	for from, to := range gaplessRuns(1, b.High, b.Low, b.Close) {
		for i := from + 1; i < to; i++ {
			out[i] = max(out[i], math.Abs(b.High[i]-b.Close[i-1]), math.Abs(b.Low[i]-b.Close[i-1]))
		}
	}
	return out
}

// ATR returns the average true range, in the unit of the price: Wilder's average of TrueRange over n bars. Seed:
// the mean of the first n true ranges, including H - L of the first bar. (Some others omit it and start a
// bar later; the difference shrinks by 1/n with each bar.) Warm-up: n-1. Usual length: 14. Source: Wilder,
// as RSI; seed as in StockCharts ChartSchool, "Average True Range (ATR)".
func ATR(b Bars, n int) []float64 { return wilder(TrueRange(b), n) }
