// Package simulate runs plans and strategies on many or on past returns. Everything it returns is
// hypothetical.
//
// Simulate plays a savings and spending Plan through many futures of a ReturnModel: normal returns,
// a block bootstrap of past returns, or every historical sequence. The same seed gives the same
// futures on every machine. YearsToGoal finds the shortest plan that meets a goal.
//
// Backtest runs a Strategy on past Prices: it decides at a close, trades at the next bar and pays
// trading costs. A decision sees only prices up to its own date. Rates are annual fractions; amounts
// are in one unit of money.
package simulate
