// Package fixedincome values bonds, loans and dated cash flows: bond price, yield, accrued interest,
// duration and convexity; loan schedules; the time value of money; XIRR.
//
// Bond follows the Standard Securities Calculation Methods of the Securities Industry Association,
// as the spreadsheet functions PRICE, YIELD, DURATION and MDURATION do; prices are per 100 of face
// value. Loan counts in decimals to the smallest unit of its currency. Annuity and XIRR solve in
// float64 and return every rate they find.
//
// Rates are annual fractions unless a field says otherwise. The package uses no market data.
package fixedincome
