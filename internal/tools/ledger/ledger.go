package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps holds the portfolio store and the services that create, parse and name its transactions.
type Deps struct {
	positions.Deps
	// NewIDs returns n IDs for transactions recorded now.
	NewIDs func(n int) ([]string, error)
	// Searches finds listings that the Directory lacks. It may be nil.
	Searches market.SearchSource
	// Read returns the contents of a file that the user names, up to a limit; name is without its
	// folder. If Read is nil, there is no import tool.
	Read func(path string) (name string, raw []byte, err error)
	// ReadOnly is why the ledger cannot be changed, or nil.
	ReadOnly error
	// Mappings saves column mappings. If nil, none are saved.
	Mappings Mappings
}

// Mappings stores documents by name.
type Mappings interface {
	// Mapping reports false if the name is unknown.
	Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error)
	SaveMapping(ctx context.Context, name string, doc json.RawMessage) error
	Mappings(ctx context.Context) (names []string, err error)
}

// Tools returns the tools that read and change the ledger.
func Tools(d Deps) []tool.Tool {
	var out []tool.Tool
	if d.Read != nil {
		out = append(out, newImportTransactions(d))
	}
	return append(out, newAddTransaction(d), newPortfolioTransactions(d), newRemoveTransaction(d), newPortfolioSettings(d))
}

// newChangeTool returns a tool for a function that plans its calls. Its errors are results.
func newChangeTool[In any](name, description string, effect tool.Effect, plan func(context.Context, In) (toolkit.MutationPlan, error)) tool.Tool {
	return toolkit.NewMutationTool(name, description, effect, func(ctx context.Context, in In) toolkit.MutationPlan {
		p, err := plan(ctx, in)
		if err != nil {
			return toolkit.ReadOnlyPlan(func(context.Context) (tool.Result, error) { return tool.FailedError(tool.CodeValidation, err), nil })
		}
		return p
	})
}

// ledgerToChange returns the ledger. It fails if the clock is set back, so that a view of the past
// cannot change the present.
func (d Deps) ledgerToChange(ctx context.Context) (portfolio.Ledger, error) {
	switch {
	case d.Replay:
		return portfolio.Ledger{}, errReadOnlyReplay
	case d.ReadOnly != nil:
		return portfolio.Ledger{}, d.ReadOnly
	}
	return d.Store.Ledger(ctx)
}

var errReadOnlyReplay = errors.New("the ledger is read-only with --as-of; run nfa without --as-of to make changes")

// update makes a change decided from the current ledger.
func (d Deps) update(ctx context.Context, decide func(portfolio.Ledger) (portfolio.Change, error)) error {
	if err := d.Store.Update(ctx, decide); err != nil {
		return fmt.Errorf("write ledger: %w", err)
	}
	return nil
}

// changeErrorResult converts an error to a result if a different call avoids it. Every other error
// ends the call.
func changeErrorResult(err error) (tool.Result, error) {
	for _, correctable := range []error{
		portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn, portfolio.ErrUnknownAccount, portfolio.ErrUnknownTransaction,
		errEntry, errRemoval, errSetting, errImport,
	} {
		if errors.Is(err, correctable) {
			return toolkit.InvalidResult(positions.Redact(err))
		}
	}
	return tool.Result{}, positions.Redact(err)
}

func (d Deps) listings() positions.Listings {
	return positions.Listings{Directory: d.Directory, Searches: d.Searches}
}

// lastEntered may be given instead of the ID of the newest transaction entered by hand.
const lastEntered = "last"

// findTransaction returns a transaction by its ID, or the newest entered by hand for "last".
func findTransaction(l portfolio.Ledger, id string) (portfolio.Transaction, bool) {
	found := -1
	for i := range l.Transactions {
		t := &l.Transactions[i]
		switch {
		case t.ID == id:
			return *t, true
		case id == lastEntered && t.Source == "" && t.Note != openingNote:
			found = i // transactions are in the order of recording
		}
	}
	if found < 0 {
		return portfolio.Transaction{}, false
	}
	return l.Transactions[found], true
}
