// Package bookkeeping holds the tools that write the user's book by hand: entries,
// removals and settings, and the list of what is recorded. What changes the book is
// shown first, checked against the whole of it, and done whole or not at all. A new tool is a file of its own and a line in Tools.
package bookkeeping

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// Deps are the book and what it is written from.
type Deps struct {
	book.Deps
	// NewIDs names n transactions that are recorded now.
	NewIDs func(n int) ([]string, error)
	// Searches finds listings beyond the Directory; nil leaves those alone.
	Searches market.SearchSource
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newAddTransaction(d),
		newPortfolioTransactions(d),
		newRemoveTransaction(d),
		newPortfolioSettings(d),
	}
}

// withID finds a transaction.
func withID(l portfolio.Ledger, id string) (portfolio.Transaction, bool) {
	i := slices.IndexFunc(l.Transactions, func(t portfolio.Transaction) bool { return t.ID == id })
	if i < 0 {
		return portfolio.Transaction{}, false
	}
	return l.Transactions[i], true
}
