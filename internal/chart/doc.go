// Package chart describes charts and draws them in a terminal. A Spec holds the data of one chart:
// lines, candles, bars, a histogram, a fan of percentiles, a drawdown or a comparison.
//
// Render returns the lines of a chart, each a list of Spans with a Style that the screen colors.
// Sparkline draws values in one line, and Describe summarizes a Spec in one sentence for people who
// cannot see it. Validate reports what is wrong with a Spec; Render draws any Spec and leaves out
// what is invalid. Downsample reduces a Spec to what a screen can show, so that it can be stored.
//
// Missing values are NaN, null in JSON, and appear as gaps. Functions do not change their arguments and are
// safe for concurrent use. Package charttest has charts for tests.
package chart
