// Package portfoliotest provides RunStore, the contract test for implementations of portfolio.Store,
// an in-memory Store, and helpers that parse short lines of text into transactions.
package portfoliotest
