package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// ResolvedTransactions returns the transactions of a valid ledger in the order in which they were
// recorded, with each alias resolved to its final symbol. Each account and transaction is checked,
// by itself and against the others; the error names the transaction and wraps ErrInvalid or
// ErrUnknownAccount. If there are no aliases the result is the ledger's own slice, not a copy.
func (l Ledger) ResolvedTransactions() ([]Transaction, error) {
	named, err := l.accountsByName()
	if err != nil {
		return nil, err
	}
	aliases, err := l.resolvedAliases()
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
		if err := t.checkAgainst(named); err != nil {
			return nil, transactionError(t, err)
		}
		if _, twice := ids[t.ID]; twice {
			return nil, transactionError(t, fmt.Errorf("%w: another transaction has this ID", ErrInvalid))
		}
		ids[t.ID] = struct{}{}
		if err := t.resolve(aliases); err != nil {
			return nil, transactionError(t, err)
		}
	}
	return ts, nil
}

// checkAgainst runs Validate, and checks the ID and the accounts.
func (t *Transaction) checkAgainst(named map[string]*Account) error {
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
		return fmt.Errorf("%w %q: add an account first", ErrUnknownAccount, name)
	}
	slices.Sort(names)
	return fmt.Errorf("%w %q: use one of %s", ErrUnknownAccount, name, strings.Join(names, ", "))
}

// accountsByName validates the accounts and returns them by name.
func (l Ledger) accountsByName() (map[string]*Account, error) {
	named := make(map[string]*Account, len(l.Accounts))
	for _, a := range l.Accounts {
		if err := a.Validate(); err != nil {
			return nil, err
		}
		if _, twice := named[a.Name]; twice {
			return nil, fmt.Errorf("account %q: two accounts have this name", a.Name)
		}
		named[a.Name] = &a
	}
	return named, nil
}

// resolvedAliases maps each alias to its final symbol.
func (l Ledger) resolvedAliases() (map[market.Symbol]market.Symbol, error) {
	ends := make(map[market.Symbol]market.Symbol, len(l.Aliases))
	for from := range l.Aliases {
		end, steps := from, 0
		for next, ok := l.Aliases[end]; ok; next, ok = l.Aliases[end] {
			if end, steps = next, steps+1; steps > maxAliases {
				return nil, fmt.Errorf("alias %q: it points to itself, or through more than %d other aliases", from, maxAliases)
			}
		}
		if from == "" || end == "" {
			return nil, fmt.Errorf("alias %q to %q: %w: empty", from, end, market.ErrInvalidSymbol)
		}
		if err := cmp.Or(checkSymbol(from), checkSymbol(end)); err != nil {
			return nil, fmt.Errorf("alias %q to %q: %w", shorten(string(from)), shorten(string(end)), err)
		}
		ends[from] = end
	}
	return ends, nil
}

// maxAliases is the longest chain of aliases.
const maxAliases = 20

// ResolveSymbol returns the symbol of a security that was recorded under a symbol and perhaps an
// ISIN. An alias of the ISIN comes first, because a ticker means different securities at different
// exchanges. Chains of aliases must already be followed to their ends.
func ResolveSymbol(ends map[market.Symbol]market.Symbol, sym market.Symbol, isin string) market.Symbol {
	if end, ok := ends[market.Symbol(isin)]; ok && isin != "" && sym != "" {
		return end
	}
	if end, ok := ends[sym]; ok {
		return end
	}
	return sym
}

func (t *Transaction) resolve(aliases map[market.Symbol]market.Symbol) error {
	if len(aliases) == 0 {
		return nil
	}
	t.Symbol = ResolveSymbol(aliases, t.Symbol, t.ISIN)
	if end, ok := aliases[t.ToSymbol]; ok {
		t.ToSymbol = end
	}
	if t.ToSymbol != "" && t.ToSymbol == t.Symbol {
		return fmt.Errorf("%w: both symbols are aliases of %s; remove the alias or the transaction", ErrInvalid, t.Symbol)
	}
	return nil
}
