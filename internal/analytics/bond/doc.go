// Package bond values bonds with fixed coupons: price, yield, accrued interest,
// duration and convexity, by the day counts of the markets.
//
// Prices are per 100 of face value, rates fractions of one a year. The formulas
// are those of the Securities Industry Association's Standard Securities
// Calculation Methods, which the spreadsheet functions PRICE, YIELD, DURATION and
// MDURATION follow.
package bond
