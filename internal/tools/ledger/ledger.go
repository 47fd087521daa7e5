package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Deps holds the portfolio store and what creates, reads and names its transactions.
type Deps struct {
	positions.Deps
	// NewIDs names n transactions that are recorded now.
	NewIDs func(n int) ([]string, error)
	// Searches finds listings beyond the Directory; nil leaves those alone.
	Searches market.SearchSource
	// Read reads a file that the user names, whole and as it is; name is without its
	// folder. It is bounded. Nil leaves out the import.
	Read func(path string) (name string, raw []byte, err error)
	// Mappings keep how the columns of files are read; nil keeps none.
	Mappings Mappings
}

// Mappings keep documents by name.
type Mappings interface {
	// Mapping reports false where none has the name.
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

// change is a call made ready: what the user is asked to approve, and what then writes it.
type change struct {
	plan []string
	run  func(context.Context) (tool.Result, error)
}

// newChangeTool makes a tool of what readies its calls. A call with a plan asks for approval each
// time, also within a plan that was approved as a whole, because nobody saw these transactions
// then.
func newChangeTool[In any](name, description string, effect tool.Effect, prepare func(context.Context, In) (change, error)) tool.Tool {
	t := tool.New(name, description, effect, func(ctx context.Context, _ In) (tool.Result, error) {
		ready, ok := tool.PreviewState(ctx).(change)
		if !ok {
			return tool.Result{}, fmt.Errorf("the change of %s was not prepared", name)
		}
		return ready.run(ctx)
	})
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of %s: %w", name, err)
		}
		c, err := prepare(ctx, in)
		return tool.Preview{Plan: c.plan, Ask: len(c.plan) > 0, Key: strings.Join(c.plan, "\n"), State: c}, err
	}
	return t
}

// ledgerToChange is the ledger, unless the clock is set back: that keeps a look into the past from
// changing the present.
func (d Deps) ledgerToChange(ctx context.Context) (portfolio.Ledger, error) {
	if d.Replay {
		return portfolio.Ledger{}, errReadOnlyReplay
	}
	return d.Store.Ledger(ctx)
}

var errReadOnlyReplay = errors.New("the clock is set back, so the ledger is read-only; to change it, run without --as-of")

// update makes a change that is decided by the ledger as it is at that moment.
func (d Deps) update(ctx context.Context, decide func(portfolio.Ledger) (portfolio.Change, error)) error {
	if err := d.Store.Update(ctx, decide); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}

// changeErrorResult converts an error of a change to a result if a better call avoids it. Every
// other error ends the call.
func changeErrorResult(err error) (tool.Result, error) {
	for _, correctable := range []error{
		portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn, portfolio.ErrUnknownAccount, portfolio.ErrUnknownTransaction,
		errEntry, errSetting, errImport,
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

// findTransaction finds a transaction.
func findTransaction(l portfolio.Ledger, id string) (portfolio.Transaction, bool) {
	i := slices.IndexFunc(l.Transactions, func(t portfolio.Transaction) bool { return t.ID == id })
	if i < 0 {
		return portfolio.Transaction{}, false
	}
	return l.Transactions[i], true
}
