// Package simulation plays a plan of saving and spending through many possible
// futures: random ones, ones drawn from the past in blocks, and the past itself
// from every start. The same seed gives the same futures on every machine.
//
// Rates are fractions a year, sums are in any one unit of money. What comes out is
// a distribution under assumptions, not a forecast.
package simulation
