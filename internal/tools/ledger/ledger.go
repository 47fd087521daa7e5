package ledger

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// Deps holds the portfolio store and what creates its transactions.
type Deps struct {
	positions.Deps
	// NewIDs names n transactions that are recorded now.
	NewIDs func(n int) ([]string, error)
	// Searches finds listings beyond the Directory; nil leaves those alone.
	Searches market.SearchSource
}

// Tools returns the tools that read and change the ledger.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newAddTransaction(d),
		newPortfolioTransactions(d),
		newRemoveTransaction(d),
		newPortfolioSettings(d),
	}
}

// findTransaction finds a transaction.
func findTransaction(l portfolio.Ledger, id string) (portfolio.Transaction, bool) {
	i := slices.IndexFunc(l.Transactions, func(t portfolio.Transaction) bool { return t.ID == id })
	if i < 0 {
		return portfolio.Transaction{}, false
	}
	return l.Transactions[i], true
}
