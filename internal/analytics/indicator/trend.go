package indicator

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// SMA returns the simple moving average: the mean of the last n values.
//
// Warm-up: n-1. Source: J. Murphy, "Technical Analysis of the Financial Markets",
// chapter 9.
func SMA(x []float64, n int) []float64 {
	return rolling(x, n, func(window []float64) float64 { return stat.Mean(window, nil) })
}

// EMA returns the exponential moving average:
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

// MACD returns the moving average convergence/divergence:
//
//	Line = EMA(fast) - EMA(slow),  Signal = EMA(Line, signal),  Histogram = Line - Signal
//
// Seed: that of each EMA; Signal starts from the mean of the first values of Line. Warm-up: slow-1 for Line
// (if fast is the shorter), slow+signal-2 for the others. Usual lengths: 12, 26, 9. Source: G. Appel,
// "Technical Analysis: Power Tools for Active Investors"; seeds as in StockCharts ChartSchool, "MACD".
func MACD(x []float64, fast, slow, signal int) MACDLines {
	line := combineColumns(difference, EMA(x, fast), EMA(x, slow))
	average := EMA(line, signal)
	return MACDLines{Line: line, Signal: average, Histogram: combineColumns(difference, line, average)}
}

// Channel is a line with a band on both sides, in the unit of the price.
type Channel struct {
	Upper, Middle, Lower []float64
}

func newChannel(centre, width []float64, times float64) Channel {
	return Channel{
		Upper:  combineColumns(func(v ...float64) float64 { return v[0] + times*v[1] }, centre, width),
		Middle: centre,
		Lower:  combineColumns(func(v ...float64) float64 { return v[0] - times*v[1] }, centre, width),
	}
}

// Bollinger returns the Bollinger bands:
//
//	SMA(x, n) ± times * s
//
// where s is the standard deviation of the same n values, with the divisor n.
// Warm-up: n-1. Usual: 20 values, 2 times. Source: J. Bollinger, "Bollinger on
// Bollinger Bands", 2001.
func Bollinger(x []float64, n int, times float64) Channel {
	deviation := rolling(x, n, func(window []float64) float64 { return stat.PopStdDev(window, nil) })
	return newChannel(SMA(x, n), deviation, times)
}

// Keltner returns the Keltner channel in Raschke's form:
//
//	EMA(C, n) ± times * ATR(atr)
//
// Seeds: those of EMA and ATR. Warm-up: the longer of n-1 and atr-1; Middle needs
// n-1. Usual: 20 bars, 2 times, an ATR of 10. Source: StockCharts ChartSchool,
// "Keltner Channels".
func Keltner(b Bars, n int, times float64, atr int) Channel {
	return newChannel(EMA(b.Close, n), ATR(b, atr), times)
}

// Donchian returns the Donchian channel: the highest high and the lowest low of the last n bars, including the
// current one, and the middle between them. Warm-up: n-1. Usual length: 20. Source: StockCharts
// ChartSchool, "Price Channels", which excludes the current bar; most others include it.
func Donchian(b Bars, n int) Channel {
	high, low := highest(b.High, n), lowest(b.Low, n)
	return Channel{Upper: high, Middle: combineColumns(middle, high, low), Lower: low}
}

// DirectionalMovement is the output of ADX, each 0 to 100.
type DirectionalMovement struct {
	ADX         []float64 // strength of the trend, in either direction
	Plus, Minus []float64 // +DI and -DI: share of the range that went up, and down
}

// ADX returns Wilder's average directional index. For each bar only the larger of the moves H - H[t-1] and
// L[t-1] - L counts, as +DM or as -DM, if it is above zero. Then, with Wilder's averages over n,
//
//	+DI = 100 * avg(+DM) / avg(TR),  -DI = 100 * avg(-DM) / avg(TR)
//	DX = 100 * |+DI - -DI| / (+DI + -DI),  ADX = avg(DX)
//
// Seeds: the means of the first n moves and true ranges, both from the second bar on, and of the first n
// DX. Without any movement DX is 0. Warm-up: n for Plus and Minus, 2n-1 for ADX. Undefined until prices
// have moved. Usual length: 14. Source: Wilder, as RSI.
func ADX(b Bars, n int) DirectionalMovement {
	up := func(before, at int) float64 { return b.High[at] - b.High[before] }
	down := func(before, at int) float64 { return b.Low[before] - b.Low[at] }
	columns := [][]float64{b.High, b.Low, b.Close}
	larger := func(this, other func(before, at int) float64) []float64 {
		return wilder(combineWithPrevious(func(before, at int) float64 {
			if move := this(before, at); move > max(other(before, at), 0) {
				return move
			}
			return 0
		}, columns...), n)
	}
	tr := TrueRange(b)
	ranges := wilder(combineWithPrevious(func(_, at int) float64 { return tr[at] }, columns...), n)
	share := func(v ...float64) float64 { return 100 * ratio(v[0], v[1]) }
	m := DirectionalMovement{Plus: combineColumns(share, larger(up, down), ranges), Minus: combineColumns(share, larger(down, up), ranges)}
	m.ADX = wilder(combineColumns(imbalance, m.Plus, m.Minus), n)
	return m
}

// imbalance computes DX from +DI and -DI.
func imbalance(v ...float64) float64 {
	plus, minus := v[0], v[1]
	if plus == 0 && minus == 0 {
		return 0
	}
	return 100 * math.Abs(plus-minus) / (plus + minus)
}

// Aroon measures how long ago the extremes were, from 100 (now) to 0 (n bars ago):
//
//	up = 100 * (n - bars since the highest high) / n,  down alike with the lowest low
//
// over the last n+1 bars; of equal extremes the latest counts. The oscillator is up - down.
// Warm-up: n. Usual length: 25. Source: T. Chande and S. Kroll, "The New Technical Trader", 1994.
func Aroon(b Bars, n int) (up, down []float64) {
	recency := func(x []float64, best func([]float64) float64) []float64 {
		if n < 1 {
			return undefinedColumn(len(x))
		}
		return rolling(x, n+1, func(window []float64) float64 {
			at, extreme := n, best(window)
			for window[at] != extreme {
				at--
			}
			return 100 * float64(at) / float64(n)
		})
	}
	return recency(b.High, slices.Max), recency(b.Low, slices.Min)
}

// Cloud is the output of Ichimoku, in the unit of the price.
type Cloud struct {
	Conversion []float64 // tenkan-sen
	Base       []float64 // kijun-sen
	SpanA      []float64 // senkou span A, one edge of the cloud at this bar
	SpanB      []float64 // senkou span B, the other edge
	Lagging    []float64 // chikou span: the close of `base` bars later, NaN for the last ones
}

// Ichimoku returns the ichimoku kinko hyo. With the middle M(n) between the highest
// high and the lowest low of the last n bars:
//
//	Conversion = M(conversion),  Base = M(base)
//	SpanA[t] = (Conversion + Base)/2 at t - base,  SpanB[t] = M(span) at t - base
//	Lagging[t] = C[t + base]
//
// The spans are those plotted at the bar, computed `base` bars earlier. Lagging is the only line that looks
// ahead: its value at a bar was not known then. Warm-up: conversion-1, base-1, 2*base-1 (if conversion is
// the shorter), base+span-1, 0. Usual lengths: 9, 26, 52. Source: StockCharts ChartSchool, "Ichimoku
// Cloud".
func Ichimoku(b Bars, conversion, base, span int) Cloud {
	line := func(n int) []float64 { return Donchian(b, n).Middle }
	c := Cloud{Conversion: line(conversion), Base: line(base)}
	c.SpanA = shift(combineColumns(middle, c.Conversion, c.Base), base)
	c.SpanB = shift(line(span), base)
	c.Lagging = shift(b.Close, -base)
	return c
}

// shift moves a column to later dates by a number of bars, or to earlier dates if it is negative.
func shift(x []float64, bars int) []float64 {
	out := undefinedColumn(len(x))
	for i := range out {
		if from := i - bars; from >= 0 && from < len(x) {
			out[i] = x[from]
		}
	}
	return out
}

// ParabolicSAR returns Wilder's parabolic stop and reverse, in the unit of the price: a stop that
// follows the trend, below a rising price and above a falling one,
//
//	S[t+1] = S[t] + a * (X - S[t])
//
// where X is the most extreme price of the trend so far, and a increases by acceleration with each
// new X, up to limit. S never enters the range of the last two bars. A bar that reaches S reverses
// the trend: S becomes X, X the other end of the bar, and a starts again.
//
// Seed: the trend of the second bar is down if its low moved further than its high, else up; S is
// the extreme of the first bar. Warm-up: 1. Usual: 0.02, 0.2. Source: Wilder, as RSI; he leaves the
// first trend to the trader.
func ParabolicSAR(b Bars, acceleration, limit float64) []float64 {
	out := undefinedColumn(b.Len())
	for from, to := range gaplessRuns(2, b.High, b.Low) {
		high, low := b.High[from:to], b.Low[from:to]
		t := stopTrail{high: high, low: low, sign: 1}
		if down, up := low[0]-low[1], high[1]-high[0]; down > max(up, 0) {
			t.sign = -1
		}
		t.stop, t.extreme, t.speed = t.behind(0), t.ahead(1), acceleration
		for i := 1; i < len(high); i++ {
			out[from+i] = t.advance(i, acceleration, limit)
		}
	}
	return out
}

// stopTrail is a stop behind a price. In a downtrend all its prices are negated, so that one rule
// covers both directions.
type stopTrail struct {
	high, low            []float64
	sign                 float64
	stop, extreme, speed float64
}

func (t *stopTrail) ahead(i int) float64 {
	if t.sign > 0 {
		return t.high[i]
	}
	return -t.low[i]
}

func (t *stopTrail) behind(i int) float64 {
	if t.sign > 0 {
		return t.low[i]
	}
	return -t.high[i]
}

// advance returns the stop of bar i and moves it to the next bar.
func (t *stopTrail) advance(i int, acceleration, limit float64) float64 {
	switch {
	case t.behind(i) <= t.stop:
		// An outside bar reaches beyond the extreme on the day it turns.
		turned := -max(t.extreme, t.ahead(i))
		t.sign = -t.sign
		t.stop, t.extreme, t.speed = turned, t.ahead(i), acceleration
	case t.ahead(i) > t.extreme:
		t.extreme, t.speed = t.ahead(i), min(t.speed+acceleration, limit)
	}
	at := t.sign * t.stop
	t.stop = min(t.stop+t.speed*(t.extreme-t.stop), t.behind(i-1), t.behind(i))
	return at
}
