// Package massive reads Massive (formerly Polygon) with the user's API key: split-adjusted daily bars of US
// securities, dividends and splits, closes, profiles and news. The free plan allows 5 requests per minute and
// has two years of history.
package massive
