package indicator

import "gonum.org/v1/gonum/stat"

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

// Bollinger are the Bollinger bands:
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

// Keltner is the Keltner channel in Raschke's form:
//
//	EMA(C, n) ± times * ATR(atr)
//
// Seeds: those of EMA and ATR. Warm-up: the longer of n-1 and atr-1; Middle needs
// n-1. Usual: 20 bars, 2 times, an ATR of 10. Source: StockCharts ChartSchool,
// "Keltner Channels".
func Keltner(b Bars, n int, times float64, atr int) Channel {
	return newChannel(EMA(b.Close, n), ATR(b, atr), times)
}

// Donchian is the Donchian channel: the highest high and the lowest low of the
// last n bars, the current one included, and the middle between them. Warm-up:
// n-1. Usual length: 20. Source: StockCharts ChartSchool, "Price Channels", which
// leave the current bar out; most others, as here, do not.
func Donchian(b Bars, n int) Channel {
	high, low := highest(b.High, n), lowest(b.Low, n)
	return Channel{Upper: high, Middle: combineColumns(middle, high, low), Lower: low}
}
