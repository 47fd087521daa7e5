// Package option values options on shares: European options by Black-Scholes-Merton, American options
// by their exercise boundary, and implied volatility from a price.
//
// Option.Value returns a Valuation with price and Greeks; Option.ImpliedVolatility inverts it. Rates,
// dividend yield and volatility are annual fractions, compounded continuously; time is in years.
package option
