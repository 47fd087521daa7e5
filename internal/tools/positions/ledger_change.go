package positions

import (
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// LedgerSource is the source of numbers that come only from the user's ledger.
const LedgerSource = "the user's book"

// Today is the day of the clock.
func (d Deps) Today() market.Date { return toolkit.Today(d.Now()) }

// LedgerOrigin is the origin of numbers that come only from the ledger.
func (d Deps) LedgerOrigin() toolkit.Origin {
	return toolkit.OriginOf(market.Provenance{Source: LedgerSource, AsOf: d.Today(), FetchedAt: d.Now()}).WithoutAdjustment()
}

// ApplyChange returns the ledger with a change made and all of it applied. Added transactions
// are checked once, by lots.New; the store makes sure that a line of a file is not recorded
// twice. If the changed ledger is invalid, the engine is returned as far as it went.
func ApplyChange(l portfolio.Ledger, c portfolio.Change) (*lots.Engine, error) {
	added := c.Add
	c.Add = nil
	changed, err := l.Apply(c)
	if err != nil {
		return nil, err
	}
	changed.Transactions = slices.Concat(changed.Transactions, added)
	engine, err := lots.New(changed)
	if err != nil {
		return nil, err
	}
	return engine, engine.Advance(market.Date{})
}

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
