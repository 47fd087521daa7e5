// Package analytics is the pure mathematics of the house: what a run of dated
// prices amounts to in return and in risk.
//
// Decimals are turned into float64 once, at the door (NewPrices); from there on
// everything is float64, as statistics are. Every exported measure states its
// formula, its base, how it is annualised and where the definition is from. A
// measure that the data cannot support is an error, never a NaN.
//
// Rates are fractions: 0.05 is five per cent.
package analytics
