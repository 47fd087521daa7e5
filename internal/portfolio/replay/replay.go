// Package replay works out what follows from a ledger: it applies the transactions of
// package portfolio day after day and keeps lots, gains, income and cash. Open makes a
// Book of a ledger and Advance moves it on; Check asks of a ledger whether it can be
// replayed at all. What the book then says (Positions, Balances, Disposals, Departures,
// Incomes, Postings, Holdings) is in the words of package portfolio.
//
// Quantities and sums stay exact. A part that does not come out even is rounded at the
// 12th place, and the parts of a sum are always together the sum.
package replay
