// Package alphavantage reads Alpha Vantage with the user's API key: the last 100 daily bars of US
// securities as traded, their dividends and splits, the latest close, and company profiles.
//
// The free plan allows 25 requests a day, so this source is used last and responses are cached for a long
// time. Errors of any kind arrive with status 200.
package alphavantage
