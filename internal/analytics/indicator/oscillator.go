package indicator

import (
	"math"
)

// Stochastic returns the stochastic oscillator, 0 to 100: the position of the close between the lowest
// low and the highest high of the last n bars,
//
//	raw = 100 * (C - LL) / (HH - LL),  k = SMA(raw, smoothing),  d = SMA(k, signal)
//
// A smoothing of 1 gives the fast version, 3 the slow one. Warm-up: n + smoothing - 2 for k,
// signal-1 more for d. Undefined if HH = LL. Usual lengths: 14, 3, 3. Source: G. Lane, "Lane's
// Stochastics", Technical Analysis of Stocks & Commodities 2, 1984.
func Stochastic(b Bars, n, smoothing, signal int) (k, d []float64) {
	raw := combineColumns(func(v ...float64) float64 { return 100 * ratio(v[2]-v[1], v[0]-v[1]) }, highest(b.High, n), lowest(b.Low, n), b.Close)
	k = SMA(raw, smoothing)
	return k, SMA(k, signal)
}

// WilliamsR returns Williams' percent range, -100 to 0:
//
//	-100 * (HH - C) / (HH - LL)
//
// over the last n bars. Warm-up: n-1. Undefined where HH = LL. Usual length: 14.
// Source: L. Williams, "How I Made One Million Dollars Last Year Trading
// Commodities", 1973.
func WilliamsR(b Bars, n int) []float64 {
	return combineColumns(func(v ...float64) float64 { return -100 * ratio(v[0]-v[2], v[0]-v[1]) }, highest(b.High, n), lowest(b.Low, n), b.Close)
}

// CCI returns the commodity channel index: the distance of the typical price T = (H+L+C)/3 from its
// mean, in mean deviations,
//
//	(T - SMA(T, n)) / (0.015 * mean |T[i] - SMA(T, n)|)
//
// with deviations from the mean of the same n bars. The constant puts most values between -100 and
// 100. Warm-up: n-1. Undefined if T does not change within the window. Usual length: 20. Source: D.
// Lambert, "Commodity Channel Index", Commodities, October 1980.
func CCI(b Bars, n int) []float64 {
	return rolling(b.typical(), n, func(window []float64) float64 {
		// Counted from the first value, so that a window without movement has a
		// deviation of exactly zero and not of a rounding error.
		var mean, deviation float64
		for _, v := range window {
			mean += (v - window[0]) / float64(n)
		}
		for _, v := range window {
			deviation += math.Abs(v-window[0]-mean) / float64(n)
		}
		return ratio(window[n-1]-window[0]-mean, 0.015*deviation)
	})
}

// RSI returns Wilder's relative strength index, 0 to 100:
//
//	100 * U / (U + D)
//
// where U and D are Wilder's averages of the increases and decreases. Seed: the mean of the first n
// of each. Warm-up: n. Undefined until a value changes. Usual length: 14. Source: J. W. Wilder,
// "New Concepts in Technical Trading Systems", 1978.
func RSI(x []float64, n int) []float64 {
	rise := combineWithPrevious(func(before, at int) float64 { return max(x[at]-x[before], 0) }, x)
	fall := combineWithPrevious(func(before, at int) float64 { return max(x[before]-x[at], 0) }, x)
	return combineColumns(func(v ...float64) float64 { return 100 * ratio(v[0], v[0]+v[1]) }, wilder(rise, n), wilder(fall, n))
}

// ROC returns the rate of change in percent:
//
//	100 * (x[t]/x[t-n] - 1)
//
// Warm-up: n. Undefined if x[t-n] is not positive. Usual length: 12. Source: StockCharts
// ChartSchool, "Rate of Change (ROC)".
func ROC(x []float64, n int) []float64 {
	if n < 1 {
		return undefinedColumn(len(x))
	}
	return rolling(x, n+1, func(window []float64) float64 {
		// The rate of change from a price at or below zero is meaningless.
		return 100 * (ratio(window[n], max(window[0], 0)) - 1)
	})
}
