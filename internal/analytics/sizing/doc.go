// Package sizing works out how large a position may be: by what is lost at a stop,
// by volatility, and by the criterion of Kelly. Sums are exact decimals; a number
// of shares is rounded down, never up.
package sizing
