package book

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// StandardAccount is made where a book has none and none is named.
const StandardAccount = "default"

// Making says what account is made, and how it keeps lots and cash; why is the reason
// of its cash policy, "" where nothing but the user chose it.
func Making(a portfolio.Account, why string) string {
	cash := map[portfolio.CashPolicy]string{
		portfolio.CashTracked:   "its cash is kept and may not go below zero",
		portfolio.CashMargin:    "its cash is kept and may go below zero",
		portfolio.CashUntracked: "its cash is not kept: what a purchase costs counts as paid in, what a sale brings as taken out",
	}[a.Cash]
	if why != "" {
		cash += " (" + why + ")"
	}
	return fmt.Sprintf("makes the account %q: cost basis %s, cash %s: %s; portfolio_settings changes that", a.Name, a.Method, a.Cash, cash)
}

// Missing are the accounts that the ledger has not got yet.
func Missing(l portfolio.Ledger, wanted []portfolio.Account) []portfolio.Account {
	return slices.DeleteFunc(slices.Clone(wanted), func(a portfolio.Account) bool {
		_, there := l.Account(a.Name)
		return there
	})
}
