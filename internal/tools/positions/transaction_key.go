package positions

import (
	"maps"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// TransactionKey is what two entries have in common that tell of the same event.
type TransactionKey struct {
	account  string
	day      int64
	kind     portfolio.Kind
	symbol   market.Symbol
	quantity string
	amount   string
	currency string
	to       [3]string // security, currency, account
}

// NewTransactionKey compares by what symbols end in: a broker's file may name a security
// by its number and the user by its ticker.
func NewTransactionKey(t portfolio.Transaction, aliases map[market.Symbol]market.Symbol) TransactionKey {
	return TransactionKey{
		t.Account, t.Date.Unix(), t.Kind, ResolveAlias(aliases, t.Symbol),
		t.Quantity.String(), t.Amount.String(), t.Currency, [3]string{string(ResolveAlias(aliases, t.ToSymbol)), t.ToCurrency, t.ToAccount},
	}
}

// TransactionKeys are those of a ledger with the IDs of their transactions.
func TransactionKeys(l portfolio.Ledger) map[TransactionKey]string {
	keys := make(map[TransactionKey]string, len(l.Transactions))
	for i := range l.Transactions {
		keys[NewTransactionKey(l.Transactions[i], l.Aliases)] = l.Transactions[i].ID
	}
	return keys
}

// ResolveAlias follows a name to the symbol that prices are asked for. The ledger has no
// chain longer than its aliases.
func ResolveAlias(aliases map[market.Symbol]market.Symbol, sym market.Symbol) market.Symbol {
	for range len(aliases) {
		next, ok := aliases[sym]
		if !ok {
			break
		}
		sym = next
	}
	return sym
}

// MergeAliases are the aliases of have with those of add, which win. Neither is changed.
func MergeAliases(have, add map[market.Symbol]market.Symbol) map[market.Symbol]market.Symbol {
	merged := make(map[market.Symbol]market.Symbol, len(have)+len(add))
	maps.Copy(merged, have)
	maps.Copy(merged, add)
	return merged
}
