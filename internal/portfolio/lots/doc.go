// Package lots computes lots, positions, gains, income and cash from a ledger.
//
// New returns an Engine for a ledger and Advance applies its transactions up to a date. Positions,
// OpenPositions, Balances, Disposals, TransferredLots, Incomes and Postings then return the state on
// that date, as types of package portfolio. Check reports whether a whole ledger can be applied.
//
// Transactions of one day are applied in an order that does not depend on the order of entry.
// Amounts are exact: a share of an amount is rounded to 12 decimal places, and the shares always add
// up to the amount. An Engine is not safe for concurrent use.
package lots
