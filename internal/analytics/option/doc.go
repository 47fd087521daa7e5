// Package option values options on shares: European ones by the formula of Black,
// Scholes and Merton, American ones on a lattice, and the volatility that a price
// implies.
//
// Rates, dividend yield and volatility are fractions a year, compounded
// continuously; time is in years.
package option
