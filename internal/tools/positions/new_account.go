package positions

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// DefaultAccount is the account that is made if a ledger has none and none is named.
const DefaultAccount = "default"

// DescribeNewAccount says what account is made, and how it keeps lots and cash; why is the reason
// of its cash policy, "" where nothing but the user chose it.
func DescribeNewAccount(a portfolio.Account, why string) string {
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

// MissingAccounts are the accounts that the ledger has not got yet.
func MissingAccounts(l portfolio.Ledger, wanted []portfolio.Account) []portfolio.Account {
	return slices.DeleteFunc(slices.Clone(wanted), func(a portfolio.Account) bool {
		_, exists := l.Account(a.Name)
		return exists
	})
}
