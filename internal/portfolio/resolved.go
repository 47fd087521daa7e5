package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// Resolved are the transactions of a ledger that holds together, in the order in which
// they were recorded and with each alias resolved to the symbol that it ends in: what
// a book is made of. Each account and transaction is checked, by itself and against
// the others; what is wrong is an error that names the transaction: ErrInvalid,
// ErrUnknownAccount. Where there are no aliases they are the ledger's own, not a copy.
func (l Ledger) Resolved() ([]Transaction, error) {
	named, err := l.accounts()
	if err != nil {
		return nil, err
	}
	aliases, err := l.ends()
	if err != nil {
		return nil, err
	}
	ts := l.Transactions
	if len(aliases) > 0 {
		ts = slices.Clone(ts)
	}
	ids := make(map[string]struct{}, len(ts))
	for i := range ts {
		t := &ts[i]
		if err := t.admissible(named); err != nil {
			return nil, about(t, err)
		}
		if _, twice := ids[t.ID]; twice {
			return nil, about(t, fmt.Errorf("%w: another one has this ID", ErrInvalid))
		}
		ids[t.ID] = struct{}{}
		if err := t.resolve(aliases); err != nil {
			return nil, about(t, err)
		}
	}
	return ts, nil
}

// admissible is what a ledger asks of a transaction beside Validate.
func (t *Transaction) admissible(named map[string]*Account) error {
	if err := t.validate(); err != nil {
		return err
	}
	if t.ID == "" {
		return fmt.Errorf("%w: it has no ID", ErrInvalid)
	}
	for _, name := range []string{t.Account, t.ToAccount} {
		if _, ok := named[name]; !ok && name != "" {
			return unknownAccount(name, named)
		}
	}
	return nil
}

func unknownAccount(name string, named map[string]*Account) error {
	names := make([]string, 0, len(named))
	for n := range named {
		names = append(names, fmt.Sprintf("%q", n))
	}
	if len(names) == 0 {
		return fmt.Errorf("%w %q: there are none yet, add it first", ErrUnknownAccount, name)
	}
	slices.Sort(names)
	return fmt.Errorf("%w %q: there are %s", ErrUnknownAccount, name, strings.Join(names, ", "))
}

// accounts are by name, each looked at.
func (l Ledger) accounts() (map[string]*Account, error) {
	named := make(map[string]*Account, len(l.Accounts))
	for _, a := range l.Accounts {
		if err := a.Validate(); err != nil {
			return nil, err
		}
		if _, twice := named[a.Name]; twice {
			return nil, fmt.Errorf("account %q: there are two of this name", a.Name)
		}
		named[a.Name] = &a
	}
	return named, nil
}

// ends follows aliases of aliases to their end.
func (l Ledger) ends() (map[market.Symbol]market.Symbol, error) {
	ends := make(map[market.Symbol]market.Symbol, len(l.Aliases))
	for from := range l.Aliases {
		end, steps := from, 0
		for next, ok := l.Aliases[end]; ok; next, ok = l.Aliases[end] {
			if end, steps = next, steps+1; steps > mostAliases {
				return nil, fmt.Errorf("alias %q: it leads to itself, or through more than %d others", from, mostAliases)
			}
		}
		if from == "" || end == "" {
			return nil, fmt.Errorf("alias %q of %q: %w: empty", from, end, market.ErrInvalidSymbol)
		}
		if err := cmp.Or(checkSymbol(from), checkSymbol(end)); err != nil {
			return nil, fmt.Errorf("alias %q of %q: %w", shortened(string(from)), shortened(string(end)), err)
		}
		ends[from] = end
	}
	return ends, nil
}

// mostAliases is the longest chain of one name for another.
const mostAliases = 20

func (t *Transaction) resolve(aliases map[market.Symbol]market.Symbol) error {
	if len(aliases) == 0 {
		return nil
	}
	if end, ok := aliases[t.Symbol]; ok {
		t.Symbol = end
	}
	if end, ok := aliases[t.ToSymbol]; ok {
		t.ToSymbol = end
	}
	if t.ToSymbol != "" && t.ToSymbol == t.Symbol {
		return fmt.Errorf("%w: both symbols are names of %s: remove the alias or the transaction", ErrInvalid, t.Symbol)
	}
	return nil
}
