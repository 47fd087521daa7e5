package indicator

import "gonum.org/v1/gonum/stat"

// SMA is the simple moving average: the mean of the last n values.
//
// Warm-up: n-1. Source: J. Murphy, "Technical Analysis of the Financial Markets",
// chapter 9.
func SMA(x []float64, n int) []float64 {
	return rolling(x, n, func(window []float64) float64 { return stat.Mean(window, nil) })
}

// EMA is the exponential moving average:
//
//	E[t] = E[t-1] + 2/(n+1) * (x[t] - E[t-1])
//
// Seed: the SMA of the first n values. Warm-up: n-1; the seed still weighs about
// 13% after another n bars. Source: StockCharts ChartSchool, "Moving Averages -
// Simple and Exponential".
func EMA(x []float64, n int) []float64 { return smooth(x, n, 2/float64(n+1)) }

// MACDLines is the output of MACD.
type MACDLines struct {
	Line      []float64 // fast less slow average, in the unit of the price
	Signal    []float64 // the average of Line
	Histogram []float64 // Line less Signal
}

// MACD is the moving average convergence/divergence:
//
//	Line = EMA(fast) - EMA(slow),  Signal = EMA(Line, signal),  Histogram = Line - Signal
//
// Seed: that of each EMA, the signal's being the mean of the first values of
// Line. Warm-up: slow-1 for Line (fast being the shorter), slow+signal-2 for the
// others. Usual lengths: 12, 26, 9. Source: G. Appel, "Technical Analysis: Power
// Tools for Active Investors"; seeds as in StockCharts ChartSchool, "MACD".
func MACD(x []float64, fast, slow, signal int) MACDLines {
	line := combineColumns(difference, EMA(x, fast), EMA(x, slow))
	average := EMA(line, signal)
	return MACDLines{Line: line, Signal: average, Histogram: combineColumns(difference, line, average)}
}
