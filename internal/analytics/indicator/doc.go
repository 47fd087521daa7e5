// Package indicator computes technical indicators (moving averages, RSI, MACD, Bollinger bands, ATR
// and others) by their original definitions.
//
// Functions take columns, oldest first, and return columns of the same length: value i depends on
// bars up to i only. The lagging line of Ichimoku is the one exception. An undefined value is NaN,
// never zero: during the warm-up, whose length each function states; for a ratio of zero to zero; and
// for the whole column if the length is below one or above that of the series. A NaN in the input is
// a gap: the warm-up starts again after it, because an average across it would mix bars that are not
// consecutive. The cost is the number of bars times the length of the window.
package indicator
