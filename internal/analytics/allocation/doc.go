// Package allocation says what share of a sum each asset gets, once it is settled
// what "best" means: the least risk, the most return for it, equal shares of risk,
// the mildest bad days, or a market's prices bent by views of one's own.
//
// Everything is float64 and numbers come in as they are; only whole shares are
// counted in decimals. Returns are simple and fractions, 0.01 for one per cent;
// expected returns and covariances are of a year. Definitions are those that
// PyPortfolioOpt documents, so that results can be compared; each states its own
// source. The optima are those of package program, exact but for rounding.
//
// None of it foretells: estimates from the past, above all expected returns, err
// far more than the optimum that is computed from them.
package allocation
