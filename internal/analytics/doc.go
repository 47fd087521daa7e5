// Package analytics measures return and risk of one series: total and annual return, volatility,
// drawdown, correlation, reward-to-risk ratios, tail risk and measures against a benchmark.
//
// Prices holds dated closes and is made by NewPrices, which converts decimals to float64; Measure
// computes its standard figures at once. The functions that take []float64 (Sharpe, Beta,
// ValueAtRisk and others) work on simple periodic returns and follow empyrical. In those a NaN is an
// unknown return: means skip it, compounding counts it as zero, and it still counts as a period.
//
// Rates are fractions: 0.05 is 5%. Each measure states its formula, its base and its source. A
// measure that the data cannot support returns an error, never NaN.
package analytics
