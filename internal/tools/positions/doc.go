// Package positions loads and values the user's portfolio. Its tools show positions, allocation,
// performance and tax lots. None of them writes.
//
// Deps.Load returns the Portfolio as of the clock, without transactions dated later. Deps.Value
// prices it and converts it to one currency. The resulting Valuation lists positions, cash and
// weights, and gives the reason for each missing value. RateCache and CostConverter convert at the
// rates of given days. Packages ledger and advice build on these types.
// Amounts and quantities are marked by tag or type, so that a Router can withhold them from a
// model.
package positions
