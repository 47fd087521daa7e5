// Package positions loads and values the user's portfolio, and has the tools that show it:
// positions, allocation, performance and tax lots. None of these tools writes.
//
// Deps.Load returns the Portfolio as of the clock, without transactions dated later.
// Deps.Value prices it and converts it to one currency: the Valuation lists positions,
// cash and weights, and says why a value is missing. RateCache and CostConverter convert
// at the rates of given days. Packages ledger and advice build on these types.
// If HideAmounts is set, amounts and quantities are masked in everything a model reads.
package positions
