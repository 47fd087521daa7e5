package indicator

// RSI is Wilder's relative strength index, 0 to 100:
//
//	100 * U / (U + D)
//
// where U and D are Wilder's averages of the rises and of the falls from value to
// value. Seed: the mean of the first n of each. Warm-up: n. Undefined while no
// value of the run has moved. Usual length: 14. Source: J. W. Wilder, "New Concepts
// in Technical Trading Systems", 1978.
func RSI(x []float64, n int) []float64 {
	rise := combineWithPrevious(func(before, at int) float64 { return max(x[at]-x[before], 0) }, x)
	fall := combineWithPrevious(func(before, at int) float64 { return max(x[before]-x[at], 0) }, x)
	return combineColumns(func(v ...float64) float64 { return 100 * ratio(v[0], v[0]+v[1]) }, wilder(rise, n), wilder(fall, n))
}

// ROC is the rate of change in per cent:
//
//	100 * (x[t]/x[t-n] - 1)
//
// Warm-up: n. Undefined where x[t-n] is not positive. Usual length: 12. Source:
// StockCharts ChartSchool, "Rate of Change (ROC)".
func ROC(x []float64, n int) []float64 {
	if n < 1 {
		return undefinedColumn(len(x))
	}
	return rolling(x, n+1, func(window []float64) float64 {
		// The rate of a price that begins at or below zero has no meaning.
		return 100 * (ratio(window[n], max(window[0], 0)) - 1)
	})
}
