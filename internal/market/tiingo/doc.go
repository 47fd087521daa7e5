// Package tiingo reads Tiingo with the user's API key: more than thirty years of daily bars of US
// securities with dividends and splits, prices, and news if the plan includes it.
//
// Bars are as traded and carry their dividends and splits, so that any adjustment can be computed. The
// free plan allows about 50 requests an hour and 500 symbols a month.
package tiingo
