// Package performance measures a portfolio from its ledger: value by day, time-weighted and
// money-weighted return, gain by source and by position, realized gains by lot, and a comparison
// with a benchmark. NewHistory values the ledger by day; History.Measure returns a Report for a
// period. ValueSeries computes returns of any series of daily values and flows. The caller supplies
// prices and rates; the package reads no market and no clock.
//
// All figures are in one base currency. A period runs from the close of From to the close of To. Prices are
// as traded: split-adjusted series are converted back, dividend-adjusted ones are rejected. If ledger and
// series disagree on a split, the security has no value from then on, and a Disagreement says so. A price
// or rate is valid for seven days; days after that are a Gap. Flows of a day are netted: inflows count at
// its start, outflows at its end. The money-weighted return dates all of them by the calendar, like XIRR.
// Amounts are exact decimals; returns are fractions.
package performance
