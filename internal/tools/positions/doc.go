// Package positions loads and values the user's portfolio, and has the tools that show it:
// positions, allocation, performance and tax lots. None of these tools writes.
//
// Deps.Load returns the Portfolio as of the clock, without transactions dated later.
// Deps.Value prices it and converts it to one currency: the Valuation lists positions,
// cash and weights, and says why a value is missing. RateCache and CostConverter convert
// at the rates of given days. Packages ledger and advice build on these types.
// Amounts and quantities are marked by tag or type, so that a Router can keep them from a model.
package positions
