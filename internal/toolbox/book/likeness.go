package book

import (
	"maps"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Likeness is what two entries have in common that tell of the same event.
type Likeness struct {
	account  string
	day      int64
	kind     portfolio.Kind
	symbol   market.Symbol
	quantity string
	amount   string
	currency string
	to       [3]string // security, currency, account
}

// LikenessOf compares by what symbols end in: a broker's file may name a security
// by its number and the user by its ticker.
func LikenessOf(t portfolio.Transaction, aliases map[market.Symbol]market.Symbol) Likeness {
	return Likeness{
		t.Account, t.Date.Unix(), t.Kind, Ending(aliases, t.Symbol),
		t.Quantity.String(), t.Amount.String(), t.Currency, [3]string{string(Ending(aliases, t.ToSymbol)), t.ToCurrency, t.ToAccount},
	}
}

// Likenesses are those of a ledger with the IDs of their transactions.
func Likenesses(l portfolio.Ledger) map[Likeness]string {
	known := make(map[Likeness]string, len(l.Transactions))
	for i := range l.Transactions {
		known[LikenessOf(l.Transactions[i], l.Aliases)] = l.Transactions[i].ID
	}
	return known
}

// Ending follows a name to the symbol that prices are asked for. The ledger has no
// chain longer than its aliases.
func Ending(aliases map[market.Symbol]market.Symbol, sym market.Symbol) market.Symbol {
	for range len(aliases) {
		next, ok := aliases[sym]
		if !ok {
			break
		}
		sym = next
	}
	return sym
}

// Merged are the aliases of have with those of add, which win. Neither is changed.
func Merged(have, add map[market.Symbol]market.Symbol) map[market.Symbol]market.Symbol {
	all := make(map[market.Symbol]market.Symbol, len(have)+len(add))
	maps.Copy(all, have)
	maps.Copy(all, add)
	return all
}
