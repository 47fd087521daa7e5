package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// accountFor finds the account of an entry by hand: the one that is named, or the
// only one. The second result is one that has to be made, nil where it is there.
func accountFor(l portfolio.Ledger, name string, kind portfolio.Kind, makeNew bool) (string, *portfolio.Account, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		switch len(l.Accounts) {
		case 1:
			return l.Accounts[0].Name, nil, nil
		case 0:
			name = positions.DefaultAccount
		default:
			return "", nil, fmt.Errorf("the ledger has the accounts %s: name one with account", accountNames(l))
		}
	}
	if _, exists := l.Account(name); exists {
		return name, nil, nil
	}
	if len(l.Accounts) > 0 && !makeNew {
		return "", nil, fmt.Errorf("%w %.60q: there %s; to make a new one, call again with new_account true", portfolio.ErrUnknownAccount, name, existingAccounts(l))
	}
	a := portfolio.NewAccount(name)
	if kind != portfolio.KindDeposit {
		// Who begins with a trade does not keep the cash: it would be below zero.
		a.Cash = portfolio.CashUntracked
	}
	return name, &a, a.Validate()
}

func existingAccounts(l portfolio.Ledger) string {
	if len(l.Accounts) == 0 {
		return "is none yet"
	}
	return "are " + accountNames(l)
}

func accountNames(l portfolio.Ledger) string {
	names := make([]string, len(l.Accounts))
	for i, a := range l.Accounts {
		names[i] = fmt.Sprintf("%q", a.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
