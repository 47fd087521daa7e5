package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// LedgerSource is the source of numbers that come only from the user's ledger.
const LedgerSource = "the user's book"

// Errors that prevent a change of the ledger.
var (
	// ErrReadOnlyReplay keeps a look into the past from changing the present.
	ErrReadOnlyReplay = errors.New("the clock is set back, so the ledger is read-only; to change it, run without --as-of")
	// ErrNotPreviewed is a call that was not previewed, which no Router makes.
	ErrNotPreviewed = errors.New("the change was not prepared")
)

// Today is the day of the clock.
func (d Deps) Today() market.Date { return toolkit.Today(d.Now()) }

// LedgerOrigin is the origin of numbers that come only from the ledger.
func (d Deps) LedgerOrigin() toolkit.Origin {
	return toolkit.OriginOf(market.Provenance{Source: LedgerSource, AsOf: d.Today(), FetchedAt: d.Now()}).WithoutAdjustment()
}

// CheckWritable is ErrReadOnlyReplay where the clock is set back.
func (d Deps) CheckWritable() error {
	if d.Replay {
		return ErrReadOnlyReplay
	}
	return nil
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

// Update makes a change that is decided by the ledger as it is at that moment.
func (d Deps) Update(ctx context.Context, decide func(portfolio.Ledger) (portfolio.Change, error)) error {
	if err := d.Store.Update(ctx, decide); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	return nil
}

// PreviewChange is a preview of what is written to the ledger. It asks for approval each time,
// also within a plan that was approved as a whole, because nobody saw these transactions then.
func PreviewChange(plan []string, state any) tool.Preview {
	return tool.Preview{Plan: plan, Ask: true, Key: strings.Join(plan, "\n"), State: state}
}

// ChangeErrorResult converts an error of a ledger change to a result if a better call avoids
// it. toolErrors are the calling tool's own errors of that kind. Every other error ends the
// call.
func (d Deps) ChangeErrorResult(err error, toolErrors ...error) (tool.Result, error) {
	correctable := append([]error{
		portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn, portfolio.ErrUnknownAccount, portfolio.ErrUnknownTransaction,
	}, toolErrors...)
	if slices.ContainsFunc(correctable, func(target error) bool { return errors.Is(err, target) }) {
		return toolkit.InvalidResult(Redact(err))
	}
	return tool.Result{}, Redact(err)
}
