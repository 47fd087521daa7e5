package portfolio

import (
	"cmp"
	"fmt"
	"slices"
)

// AllOwners names all owners together. No owner has this name.
const AllOwners = "all"

// OwnedLedger is the ledger of one of several owners.
type OwnedLedger struct {
	Owner string
	Ledger
}

// Combine returns one ledger of several owners, to be viewed. Accounts, transactions and lots are named
// OWNER/NAME, and the accounts know their holder. The aliases of each owner are resolved. Of two
// classifications of a security, the first counts. There are no targets, since they are parts of one
// owner's portfolio.
func Combine(owned []OwnedLedger) (Ledger, error) {
	var all Ledger
	for _, o := range owned {
		in := func(name string) string {
			if name == "" {
				return ""
			}
			return o.Owner + "/" + name
		}
		transactions, err := o.ResolvedTransactions()
		if err != nil {
			return Ledger{}, fmt.Errorf("ledger of %s: %w", o.Owner, err)
		}
		for _, a := range o.Accounts {
			a.Name, a.Holder, a.Owner = in(a.Name), o.Owner, cmp.Or(in(a.Owner), o.Owner)
			all.Accounts = append(all.Accounts, a)
		}
		for _, t := range transactions {
			t.ID, t.Account, t.ToAccount = in(t.ID), in(t.Account), in(t.ToAccount)
			t.Lots = slices.Clone(t.Lots)
			for i := range t.Lots {
				t.Lots[i].Lot = in(t.Lots[i].Lot)
			}
			all.Transactions = append(all.Transactions, t)
		}
		for _, s := range o.Securities {
			if indexOfSecurity(all.Securities, s.Symbol) < 0 {
				all.Securities = append(all.Securities, s)
			}
		}
	}
	slices.SortFunc(all.Securities, func(a, b Security) int { return cmp.Compare(a.Symbol, b.Symbol) })
	return all, nil
}
