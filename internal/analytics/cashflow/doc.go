// Package cashflow is the mathematics of money at dates: the rate that a run of
// payments earned, what a sum is worth at another time, and how a loan is paid
// back. It knows no market.
//
// Rates are fractions of one: 0.05 is five per cent. Money that a borrower owes is
// counted in decimals to the smallest unit of the currency; what is solved for is
// float64.
package cashflow
