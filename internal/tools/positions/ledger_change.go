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

// LedgerSource is where the numbers of the tools are from that read and write the book
// alone.
const LedgerSource = "the user's book"

// What keeps a book from being changed.
var (
	// ErrReadOnlyReplay keeps a look into the past from changing the present.
	ErrReadOnlyReplay = errors.New("the clock is set back, and then the book is only read; to change it, run without --as-of")
	// ErrNotPreviewed is a call that was not previewed, which no Router makes.
	ErrNotPreviewed = errors.New("the change was not prepared")
)

// Today is the day of the clock.
func (d Deps) Today() market.Date { return toolkit.Today(d.Now()) }

// LedgerOrigin is what an answer says of numbers that are from the book alone.
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

// ApplyChange is the book with a change made and everything in it applied. What is added is
// looked at once, by Open; that a line of a file is not recorded twice is for the
// store. Where the change does not hold the book is given, too, as far as it went.
func ApplyChange(l portfolio.Ledger, c portfolio.Change) (*lots.Engine, error) {
	added := c.Add
	c.Add = nil
	changed, err := l.Apply(c)
	if err != nil {
		return nil, err
	}
	changed.Transactions = slices.Concat(changed.Transactions, added)
	b, err := lots.New(changed)
	if err != nil {
		return nil, err
	}
	return b, b.Advance(market.Date{})
}

// Update makes a change that is decided by the ledger as it is at that moment.
func (d Deps) Update(ctx context.Context, decide func(portfolio.Ledger) (portfolio.Change, error)) error {
	if err := d.Store.Update(ctx, decide); err != nil {
		return fmt.Errorf("writing the book: %w", err)
	}
	return nil
}

// PreviewChange is a preview of what is written to the book. It is asked for each time
// anew, also within what was approved as a whole: nobody saw these entries then.
func PreviewChange(plan []string, state any) tool.Preview {
	return tool.Preview{Plan: plan, Ask: true, Key: strings.Join(plan, "\n"), State: state}
}

// ChangeErrorResult is the answer to a change that another book than the one that was shown
// does not allow; own are the errors of the room that a better call avoids. Every
// other error ends the call.
func (d Deps) ChangeErrorResult(err error, toolErrors ...error) (tool.Result, error) {
	correctable := append([]error{
		portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn, portfolio.ErrUnknownAccount, portfolio.ErrUnknownTransaction,
	}, toolErrors...)
	if slices.ContainsFunc(correctable, func(target error) bool { return errors.Is(err, target) }) {
		return toolkit.InvalidResult(d.MaskAmounts(err))
	}
	return tool.Result{}, d.MaskAmounts(err)
}
