package positions

import (
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// LedgerSource is the source of figures that come only from the user's ledger.
const LedgerSource = "portfolio ledger"

// Today returns the current date by the clock.
func (d Deps) Today() market.Date { return toolkit.Today(d.Now()) }

// LedgerOrigin returns the origin of figures that come only from the ledger.
func (d Deps) LedgerOrigin() toolkit.Origin {
	return toolkit.OriginOf(market.Provenance{Source: LedgerSource, AsOf: d.Today(), FetchedAt: d.Now()}).WithoutAdjustment()
}

// ApplyChange returns an engine with the changed ledger applied. Added transactions are checked
// once, by lots.New; the store ensures that a line of a file is not recorded twice. If the changed
// ledger is invalid, it returns the engine up to the invalid transaction.
func ApplyChange(l portfolio.Ledger, c portfolio.Change) (*lots.Engine, error) {
	changed, err := WithAdded(l, c)
	if err != nil {
		return nil, err
	}
	engine, err := lots.New(changed)
	if err != nil {
		return nil, err
	}
	return engine, engine.Advance(market.Date{})
}

// WithAdded returns the ledger after a change. It does not check the added transactions, because a file
// can have many. The result shares memory with l and c.
func WithAdded(l portfolio.Ledger, c portfolio.Change) (portfolio.Ledger, error) {
	added := c.Add
	c.Add = nil
	changed, err := l.Apply(c)
	if len(changed.Transactions) == 0 {
		changed.Transactions = added
	} else {
		changed.Transactions = slices.Concat(changed.Transactions, added)
	}
	return changed, err
}

// TransactionKey is equal for two transactions that record the same event.
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

// NewTransactionKey compares resolved symbols, because a broker's file may identify a security by
// its number and the user by its ticker.
func NewTransactionKey(t portfolio.Transaction, aliases map[market.Symbol]market.Symbol) TransactionKey {
	return TransactionKey{
		t.Account, t.Date.Unix(), t.Kind, ResolveTransaction(aliases, t),
		t.Quantity.String(), t.Amount.String(), t.Currency, [3]string{string(ResolveAlias(aliases, t.ToSymbol)), t.ToCurrency, t.ToAccount},
	}
}

// TransactionKeys maps the keys of a ledger's transactions to their IDs.
func TransactionKeys(l portfolio.Ledger) map[TransactionKey]string {
	keys := make(map[TransactionKey]string, len(l.Transactions))
	for i := range l.Transactions {
		keys[NewTransactionKey(l.Transactions[i], l.Aliases)] = l.Transactions[i].ID
	}
	return keys
}

// ResolveTransaction returns the symbol of a transaction's security, as [portfolio.ResolveSymbol].
func ResolveTransaction(aliases map[market.Symbol]market.Symbol, t portfolio.Transaction) market.Symbol {
	if _, ok := aliases[market.Symbol(t.ISIN)]; ok && t.ISIN != "" && t.Symbol != "" {
		return ResolveAlias(aliases, market.Symbol(t.ISIN))
	}
	return ResolveAlias(aliases, t.Symbol)
}

// ResolveAlias follows aliases to the symbol used for prices. No chain is longer than the number of
// aliases.
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

// MergeAliases returns the aliases of have and add; add wins. Neither is changed.
func MergeAliases(have, add map[market.Symbol]market.Symbol) map[market.Symbol]market.Symbol {
	merged := make(map[market.Symbol]market.Symbol, len(have)+len(add))
	maps.Copy(merged, have)
	maps.Copy(merged, add)
	return merged
}
