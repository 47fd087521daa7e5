package portfolio

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Apply returns the ledger after a change; l stays as it is. Removals come first, so a
// transaction is replaced by removing it and adding another of its ID. An alias to an empty
// symbol is removed.
//
// What is removed must exist (ErrUnknownTransaction). What is added must be valid and of a
// known account (ErrUnknownAccount), and neither its ID nor its Origin may be taken
// (ErrInvalid). Securities and targets are named by the symbols that aliases end in; records of
// a name that becomes an alias move to its symbol (see Merge). Whether all that is sold was
// held is checked by package lots.
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

// Origin is what tells a line of a broker's file from all others.
type Origin struct{ Account, Source, SourceID string }

// Origin reports false for what the user entered.
func (t Transaction) Origin() (Origin, bool) {
	return Origin{t.Account, t.Source, t.SourceID}, t.Source != ""
}

// Origins are those of the ledger, with the IDs of their transactions: what an
// import finds here is recorded already.
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

// withoutTransactions copies the transactions that stay.
func (l Ledger) withoutTransactions(ids []string) ([]Transaction, error) {
	removed := make(map[string]bool, len(ids))
	for _, id := range ids {
		removed[id] = true
	}
	kept := make([]Transaction, 0, len(l.Transactions))
	for i := range l.Transactions {
		if id := l.Transactions[i].ID; removed[id] {
			delete(removed, id)
			continue
		}
		kept = append(kept, l.Transactions[i])
	}
	for _, id := range ids {
		if removed[id] {
			return nil, fmt.Errorf("removing %q: %w", shorten(id), ErrUnknownTransaction)
		}
	}
	return kept, nil
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
			return transactionError(t, fmt.Errorf("%w: another one has this ID", ErrInvalid))
		}
		ids[t.ID] = true
		o, imported := t.Origin()
		if earlier, twice := origins[o]; imported && twice {
			return transactionError(t, fmt.Errorf("%w: %s %s of this account is recorded as %s", ErrInvalid, o.Source, o.SourceID, earlier))
		}
		if imported {
			origins[o] = t.ID
		}
	}
	l.Transactions = append(l.Transactions, added...)
	return nil
}
