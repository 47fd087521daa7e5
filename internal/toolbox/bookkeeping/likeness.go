package bookkeeping

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// likeness is what two entries have in common that tell of the same event.
type likeness struct {
	account  string
	day      int64
	kind     portfolio.Kind
	symbol   market.Symbol
	quantity string
	amount   string
	currency string
	to       string
}

// likenessOf compares by what symbols end in: a broker's file may name a security
// by its number and the user by its ticker.
func likenessOf(t portfolio.Transaction, aliases map[market.Symbol]market.Symbol) likeness {
	return likeness{
		t.Account, t.Date.Unix(), t.Kind, ending(aliases, t.Symbol),
		t.Quantity.String(), t.Amount.String(), t.Currency, string(t.ToSymbol) + t.ToCurrency + t.ToAccount,
	}
}

// likenesses are those of a ledger with the IDs of their transactions.
func likenesses(l portfolio.Ledger) map[likeness]string {
	known := make(map[likeness]string, len(l.Transactions))
	for i := range l.Transactions {
		known[likenessOf(l.Transactions[i], l.Aliases)] = l.Transactions[i].ID
	}
	return known
}

// ending follows a name to the symbol that prices are asked for. The ledger has no
// chain longer than its aliases.
func ending(aliases map[market.Symbol]market.Symbol, sym market.Symbol) market.Symbol {
	for range len(aliases) {
		next, ok := aliases[sym]
		if !ok {
			break
		}
		sym = next
	}
	return sym
}
