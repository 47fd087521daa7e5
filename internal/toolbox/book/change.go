package book

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Source is where the numbers of the tools are from that read and write the book
// alone.
const Source = "the user's book"

// What keeps a book from being changed.
var (
	// ErrReplay keeps a look into the past from changing the present.
	ErrReplay = errors.New("the clock is set back, and then the book is only read; to change it, run without --as-of")
	// ErrUnprepared is a call that was not previewed, which no Router makes.
	ErrUnprepared = errors.New("the change was not prepared")
)

// Today is the day of the clock.
func (d Deps) Today() market.Date { return question.Today(d.Now()) }

// Origin is what an answer says of numbers that are from the book alone.
func (d Deps) Origin() present.Origin {
	return present.OriginOf(market.Provenance{Source: Source, AsOf: d.Today(), FetchedAt: d.Now()}).WithoutAdjustment()
}

// Writable is ErrReplay where the clock is set back.
func (d Deps) Writable() error {
	if d.Replay {
		return ErrReplay
	}
	return nil
}

// After is the book with a change made and everything in it applied. What is added is
// looked at once, by Open; that a line of a file is not recorded twice is for the
// store. Where the change does not hold the book is given, too, as far as it went.
func After(l portfolio.Ledger, c portfolio.Change) (*replay.Book, error) {
	added := c.Add
	c.Add = nil
	changed, err := l.With(c)
	if err != nil {
		return nil, err
	}
	changed.Transactions = slices.Concat(changed.Transactions, added)
	b, err := replay.Open(changed)
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

// Asking is a preview of what is written to the book. It is asked for each time
// anew, also within what was approved as a whole: nobody saw these entries then.
func Asking(plan []string, state any) tool.Preview {
	return tool.Preview{Plan: plan, Ask: true, Key: strings.Join(plan, "\n"), State: state}
}

// Refused is the answer to a change that another book than the one that was shown
// does not allow; own are the errors of the room that a better call avoids. Every
// other error ends the call.
func (d Deps) Refused(err error, own ...error) (tool.Result, error) {
	mendable := append([]error{
		portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn, portfolio.ErrUnknownAccount, portfolio.ErrUnknownTransaction,
	}, own...)
	if slices.ContainsFunc(mendable, func(target error) bool { return errors.Is(err, target) }) {
		return present.Invalid(d.Veil(err))
	}
	return tool.Result{}, d.Veil(err)
}
