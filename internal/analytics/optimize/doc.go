// Package optimize computes portfolio weights: minimum volatility, the efficient frontier, maximum
// Sharpe ratio, risk parity, hierarchical risk parity, minimum CVaR and Black-Litterman. WholeShares
// turns weights into an order in whole shares.
//
// A Sample holds the returns of the assets and estimates expected returns and covariance; Limits
// bounds the weights. The optima come from exact solvers in this package (simplex, active set,
// critical line), which end after a finite number of steps, to the accuracy of float64.
//
// Returns are simple fractions; expected returns and covariances are annual. Definitions follow
// PyPortfolioOpt where it has them, so that results can be compared. Estimates from past returns,
// above all expected returns, are far less certain than the optimum computed from them.
package optimize
