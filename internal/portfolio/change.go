package portfolio

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Apply returns the ledger after a change; l is unchanged. Removals come first, so a transaction is
// replaced by removing it and adding another with its ID. An alias to an empty symbol is removed.
//
// Removed transactions must exist (ErrUnknownTransaction). Added ones must be valid and in a known
// account (ErrUnknownAccount), and their ID and Origin must be new (ErrInvalid). Securities and
// targets are stored under the final symbol of an alias chain; records of a name that becomes an
// alias move to its symbol (see Merge). Package lots checks that sold shares were held.
func (l Ledger) Apply(c Change) (Ledger, error) {
	c = l.Merge(c)
	after := Ledger{
		Accounts: slices.Clone(l.Accounts), Aliases: maps.Clone(l.Aliases),
		Securities: slices.Clone(l.Securities), Targets: l.Targets,
	}
	after.putAccounts(c.Accounts)
	after.putAliases(c.Aliases)
	named, err := after.accountsByName()
	if err != nil {
		return Ledger{}, err
	}
	if _, err := after.resolvedAliases(); err != nil {
		return Ledger{}, err
	}
	if err := cmp.Or(after.putSecurities(c.Securities), after.putTargets(c.Targets)); err != nil {
		return Ledger{}, err
	}
	if after.Transactions, err = l.withoutTransactions(c.Remove); err != nil {
		return Ledger{}, err
	}
	if err := after.add(c.Add, named); err != nil {
		return Ledger{}, err
	}
	return after, nil
}

// Origin identifies one line of a broker file.
type Origin struct{ Account, Source, SourceID string }

// Origin returns the line that the transaction was imported from, or false if the user entered it by hand.
func (t Transaction) Origin() (Origin, bool) {
	return Origin{t.Account, t.Source, t.SourceID}, t.Source != ""
}

// Origins maps each imported line of the ledger to the ID of its transaction, so that an import can
// skip duplicates.
func (l Ledger) Origins() map[Origin]string {
	ids := make(map[Origin]string, len(l.Transactions))
	for i := range l.Transactions {
		if o, ok := l.Transactions[i].Origin(); ok {
			ids[o] = l.Transactions[i].ID
		}
	}
	return ids
}

func (l *Ledger) putAccounts(changed []Account) {
	for _, a := range changed {
		if i := slices.IndexFunc(l.Accounts, func(old Account) bool { return old.Name == a.Name }); i >= 0 {
			l.Accounts[i] = a
			continue
		}
		l.Accounts = append(l.Accounts, a)
	}
}

func (l *Ledger) putAliases(changed map[market.Symbol]market.Symbol) {
	for from, to := range changed {
		if to == "" {
			delete(l.Aliases, from)
			continue
		}
		if l.Aliases == nil {
			l.Aliases = map[market.Symbol]market.Symbol{}
		}
		l.Aliases[from] = to
	}
}

// withoutTransactions returns a copy of the transactions that are not removed.
func (l Ledger) withoutTransactions(ids []string) ([]Transaction, error) {
	removed := make(map[string]bool, len(ids))
	for _, id := range ids {
		removed[id] = true
	}
	remaining := make([]Transaction, 0, len(l.Transactions))
	for i := range l.Transactions {
		if id := l.Transactions[i].ID; removed[id] {
			delete(removed, id)
			continue
		}
		remaining = append(remaining, l.Transactions[i])
	}
	for _, id := range ids {
		if removed[id] {
			return nil, fmt.Errorf("remove %q: %w", shorten(id), ErrUnknownTransaction)
		}
	}
	return remaining, nil
}

func (l *Ledger) add(added []Transaction, named map[string]*Account) error {
	if len(added) == 0 {
		return nil
	}
	origins := l.Origins()
	ids := make(map[string]bool, len(l.Transactions)+len(added))
	for i := range l.Transactions {
		ids[l.Transactions[i].ID] = true
	}
	for i := range added {
		t := &added[i]
		if err := t.checkAgainst(named); err != nil {
			return transactionError(t, err)
		}
		if ids[t.ID] {
			return transactionError(t, fmt.Errorf("%w: another transaction has this ID", ErrInvalid))
		}
		ids[t.ID] = true
		o, imported := t.Origin()
		if earlier, twice := origins[o]; imported && twice {
			return transactionError(t, fmt.Errorf("%w: %s %s of this account is already recorded as %s", ErrInvalid, o.Source, o.SourceID, earlier))
		}
		if imported {
			origins[o] = t.ID
		}
	}
	l.Transactions = append(l.Transactions, added...)
	return nil
}
