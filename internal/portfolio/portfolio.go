package portfolio

import (
	"context"
	"errors"

	"github.com/nfa-cli/nfa/internal/market"
)

// Errors of a ledger and of the engine that applies it.
var (
	// ErrInvalid means that a transaction is contradictory or incomplete.
	ErrInvalid = errors.New("invalid transaction")
	// ErrNotHeld means that a transaction sells or moves more than the account holds.
	ErrNotHeld = errors.New("not held")
	// ErrOverdrawn means that cash would be negative in an account with CashTracked.
	ErrOverdrawn = errors.New("not enough cash")
	// ErrUnknownAccount means that no account has the name; the error lists the existing ones.
	ErrUnknownAccount = errors.New("unknown account")
	// ErrUnknownTransaction means that no transaction has the ID.
	ErrUnknownTransaction = errors.New("unknown transaction")
)

// Ledger is everything the user has recorded.
type Ledger struct {
	Accounts     []Account     `json:"accounts"`
	Transactions []Transaction `json:"transactions"`
	// Aliases map names under which securities were recorded, such as an ISIN or a broker's ticker,
	// to the symbol used for market data. They apply to past and future transactions; one of an ISIN
	// applies to all transactions with that ISIN, whatever their symbol.
	Aliases map[market.Symbol]market.Symbol `json:"aliases,omitempty"`
	// Securities and Targets have at most one entry per symbol, after aliases are resolved.
	Securities []Security `json:"securities,omitempty"`
	Targets    []Target   `json:"targets,omitempty"`
}

// Account returns the account with this name, or false.
func (l Ledger) Account(name string) (Account, bool) {
	for _, a := range l.Accounts {
		if a.Name == name {
			return a, true
		}
	}
	return Account{}, false
}

// Change is a set of edits that are applied together.
type Change struct {
	Add      []Transaction // with IDs set by the caller
	Remove   []string      // IDs
	Accounts []Account     // added, or replaced by name
	// Aliases are added; an alias to "" is removed.
	Aliases    map[market.Symbol]market.Symbol
	Securities []Security // added, or replaced by symbol; an empty one is removed
	// Targets replace all targets, unless nil.
	Targets []Target
}

// Store saves a ledger. It is safe for concurrent use, also by several processes.
type Store interface {
	// Ledger returns the whole ledger. A ledger that was never written is empty.
	Ledger(ctx context.Context) (Ledger, error)
	// Update calls change with the current ledger and saves the change it returns, all or nothing;
	// no other process writes in between. If change returns an error, Update returns it unwrapped
	// and saves nothing. When Update returns nil, the data is on disk. change may call Ledger, but
	// not Update.
	Update(ctx context.Context, change func(Ledger) (Change, error)) error
}
