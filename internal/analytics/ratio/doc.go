// Package ratio computes what analysts read out of a company's statements, and of
// its price: margins, returns on capital, leverage, liquidity, turnover, growth,
// and what a share costs for what it earns. It asks nobody; statements come in,
// ratios go out.
//
// Every ratio says its formula and the numbers that went into it. One that an
// input is missing for, or that would mean nothing (a price for negative
// earnings), has no value and says why; a zero is a zero. Where a flow stands
// over a balance, the balance is the mean of those at the beginning and the end
// of the period, as in CFA Institute's curriculum.
//
// Prices, counts of shares and figures per share are combined only where they are
// of the same shares: not across a split, not for depositary receipts, not across
// currencies.
package ratio
