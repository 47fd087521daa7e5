// Package rebalance plans trades that bring a portfolio back to its target weights, sizes single
// positions, and checks a portfolio against limits. Prices and dates are inputs; no order is sent.
//
// Request.Plan first raises cash that an account owes, then invests idle cash in what is furthest
// below its target. It sells only what is outside its band afterward: untaxed accounts first, then
// the lots that cost the least tax. Cash never moves between accounts. Taxes are reported, not
// deducted.
//
// SizeByRisk, SizeByVolatility and SizeByKelly return a PositionSize, rounded down to whole lots.
// Portfolio.Check returns one CheckResult per rule: pass only if all inputs are known, fail as soon
// as the known inputs decide it, otherwise not judged. User limits replace the default thresholds.
package rebalance
