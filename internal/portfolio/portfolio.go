package portfolio

import (
	"context"
	"errors"

	"github.com/nfa-cli/nfa/internal/market"
)

// Errors of a ledger and of the engine that applies it.
var (
	// ErrInvalid means that a transaction says something that cannot be.
	ErrInvalid = errors.New("invalid transaction")
	// ErrNotHeld means that more was given away than the account had.
	ErrNotHeld = errors.New("not held")
	// ErrOverdrawn means that an account that may not owe cash would.
	ErrOverdrawn = errors.New("not enough cash")
	// ErrUnknownAccount means that no account has the name; the error lists those
	// that there are.
	ErrUnknownAccount = errors.New("unknown account")
	// ErrUnknownTransaction means that no transaction has the ID.
	ErrUnknownTransaction = errors.New("unknown transaction")
)

// Ledger is all that the user has recorded.
type Ledger struct {
	Accounts     []Account     `json:"accounts"`
	Transactions []Transaction `json:"transactions"`
	// Aliases are the names under which securities were recorded, such as an ISIN
	// or a broker's ticker, with the symbol that prices are asked for. They hold for
	// transactions of the past and of the future alike.
	Aliases map[market.Symbol]market.Symbol `json:"aliases,omitempty"`
	// Securities and Targets are by symbol, after aliases, once each.
	Securities []Security `json:"securities,omitempty"`
	Targets    []Target   `json:"targets,omitempty"`
}

// Account finds an account by its name. Where there is none it reports false.
func (l Ledger) Account(name string) (Account, bool) {
	for _, a := range l.Accounts {
		if a.Name == name {
			return a, true
		}
	}
	return Account{}, false
}

// Change is what is done to a ledger at once.
type Change struct {
	Add      []Transaction // IDs are given by who makes the change
	Remove   []string      // IDs
	Accounts []Account     // added, or put in the place of those of the same name
	// Aliases are added; one to "" is taken back.
	Aliases    map[market.Symbol]market.Symbol
	Securities []Security // put in the place of those of the same symbol; one without anything said is taken back
	// Targets are all of them, where not nil: they belong together.
	Targets []Target
}

// Store keeps a ledger. It is safe for concurrent use, also by several processes.
type Store interface {
	// Ledger loads all of it. A ledger that was never written is empty.
	Ledger(ctx context.Context) (Ledger, error)
	// Update has change look at the ledger as it is and does what it returns, whole
	// or not at all; no other process writes in between. An error of change is
	// returned as it is, and nothing is written. When Update returns nil the disk
	// has it. change may call Ledger, but not Update.
	Update(ctx context.Context, change func(Ledger) (Change, error)) error
}
