// Package rebalance plans the trades that bring what is held back to its targets:
// cash first, then sales where no tax is due, then the lots that cost the least
// tax. Everything comes in, prices and the day too; nothing is asked and nothing
// is ordered.
//
// The order of thought is that of a careful adviser. An account that owes cash
// sells until it does not. Cash above its target buys what is furthest below its
// own, what is outside its band before all else. Only if that does not bring
// everything inside its band is anything sold: down to the targets, or to the edges
// of the bands. What the sales brought is spent in the same manner. Cash is never
// moved between accounts, and no account spends what it does not have.
//
// Weights are of everything that takes part, after the fees of the plan. Taxes are
// told and not taken out: they are due later, and from elsewhere.
package rebalance
