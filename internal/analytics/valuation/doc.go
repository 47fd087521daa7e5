// Package valuation works out what a business is worth: by the cash it will make
// (discounted cash flow), by the growth that its price implies, and by what
// comparable businesses cost.
//
// Rates are fractions a year, sums in any one unit of money. A valuation is as good
// as its assumptions: each result keeps them.
package valuation
