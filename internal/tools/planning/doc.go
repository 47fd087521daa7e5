// Package planning holds the planning tools. Tools lists those that draw on past prices:
// retirement_simulation, goal_plan and backtest; every result is labeled HYPOTHETICAL.
// CalculatorTools lists those that compute from their arguments only, with the same result every
// time: calculate, xirr, time_value, loan_payment, bond_price, option_price and position_size.
// CalculatorToolsWithLimits also checks position sizes against the user's limits.
//
// Evaluate computes arithmetic in exact decimals, for example "round(1000 * 1.07^10, 2)" or
// "100 + 5%"; nothing passes through float64. The other formulas are those of packages simulate,
// fixedincome, option and rebalance. To add a tool, write one file and add it to the list.
package planning
