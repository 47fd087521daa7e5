// Package portfolio defines the user's portfolio as nfa records it: a Ledger of accounts,
// transactions, symbol aliases, security classifications and target weights, and the Store contract
// for saving it.
//
// A Transaction states what happened and is never changed by later ones. Lots, positions, gains and
// cash are not stored; package lots computes them from the ledger. The types of those results (Lot,
// Position, Disposal, Income, Posting, Balance) are declared here, so that stores, tools and
// reports share them.
//
// Quantities, prices and amounts are decimals. An unknown value, such as the cost basis of
// transferred shares, stays unknown in every figure computed from it.
package portfolio
