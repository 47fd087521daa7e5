// Package planning holds the planning tools. Tools returns those that use past prices:
// retirement_simulation, goal_plan and backtest; every result is labeled HYPOTHETICAL.
// CalculatorTools returns those that compute only from their arguments: calculate, xirr,
// time_value, loan_payment, bond_price, option_price and position_size. CalculatorToolsWithLimits
// also checks position sizes against the user's limits.
//
// Evaluate computes arithmetic in exact decimals, for example "round(1000 * 1.07^10, 2)" or "100 +
// 5%", without float64. The other formulas are in packages simulate, fixedincome, option and
// rebalance.
package planning
