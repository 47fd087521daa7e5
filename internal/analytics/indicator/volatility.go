package indicator

import "math"

// TrueRange is how far a price went in a bar, the jump from the bar before
// included:
//
//	max(H - L, |H - C[t-1]|, |L - C[t-1]|)
//
// The first bar of a run counts H - L. No warm-up. Source: Wilder, as RSI.
func TrueRange(b Bars) []float64 {
	out := combineColumns(difference, b.High, b.Low)
	for from, to := range gaplessRuns(1, b.High, b.Low, b.Close) {
		for i := from + 1; i < to; i++ {
			out[i] = max(out[i], math.Abs(b.High[i]-b.Close[i-1]), math.Abs(b.Low[i]-b.Close[i-1]))
		}
	}
	return out
}

// ATR is the average true range, in the unit of the price: Wilder's average of
// TrueRange over n bars. Seed: the mean of the first n true ranges, the H - L of
// the first bar among them. (Others leave that one out and begin a bar later; the
// difference shrinks by 1/n with each bar.) Warm-up: n-1. Usual length: 14.
// Source: Wilder, as RSI; seed as in StockCharts ChartSchool, "Average True
// Range (ATR)".
func ATR(b Bars, n int) []float64 { return wilder(TrueRange(b), n) }
