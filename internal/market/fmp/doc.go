// Package fmp reads Financial Modeling Prep with the user's API key: prices and profiles of US
// companies. The free plan allows 250 requests a day and rejects many symbols with status 402 and
// plain text instead of JSON.
package fmp
