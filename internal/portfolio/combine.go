package portfolio

import (
	"cmp"
	"fmt"
	"slices"
)

// AllOwners selects the combined ledger of all owners. No owner may have this name.
const AllOwners = "all"

// OwnedLedger is the ledger of one of several owners.
type OwnedLedger struct {
	Owner string
	Ledger
}

// Combine merges the ledgers of several owners into one, for viewing only. Accounts, transactions and lots
// are renamed to OWNER/NAME, and each account's Holder is set. Aliases are resolved within each owner's
// ledger. If owners classify a security differently, the first classification is used. Targets are dropped,
// because they are weights in one owner's portfolio.
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
