package bookkeeping

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type removeInput struct {
	ID string `json:"id" jsonschema:"the transaction, as portfolio_transactions gives it"`
}

const removeDescription = `Takes one transaction out of the user's book, by its id from portfolio_transactions. The user is asked first and sees what goes.
Use it for an entry that is wrong, before the right one is recorded with add_transaction. It is refused where a later entry needs it, such as the sale of what it brought, and says which: remove that one first. A line of a broker's file that is removed comes back when the file is imported again.`

// removal is an entry to be taken out, as it was shown.
type removal struct{ transaction portfolio.Transaction }

type removeAnswer struct {
	Removed portfolio.Transaction `json:"removed"`
	Booking string                `json:"booking"`
	present.Origin
}

type removeHidden struct {
	Removed string `json:"removed"`
	Amounts string `json:"amounts"`
	present.Origin
}

// newRemoveTransaction is the tool that takes an entry out.
func newRemoveTransaction(d Deps) tool.Tool {
	t := tool.New("remove_transaction", removeDescription, tool.Writes, func(ctx context.Context, _ removeInput) (tool.Result, error) {
		ready, ok := tool.Previewed(ctx).(*removal)
		if !ok {
			return tool.Result{}, book.ErrUnprepared
		}
		return d.remove(ctx, ready.transaction)
	})
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in removeInput
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of remove_transaction: %w", err)
		}
		return d.previewRemove(ctx, strings.TrimSpace(in.ID))
	}
	return t
}

func (d Deps) previewRemove(ctx context.Context, id string) (tool.Preview, error) {
	if err := d.Writable(); err != nil {
		return tool.Preview{}, err
	}
	l, err := d.Store.Ledger(ctx)
	if err != nil {
		return tool.Preview{}, err
	}
	t, there := withID(l, id)
	if !there {
		return tool.Preview{}, fmt.Errorf("%w %.64q: portfolio_transactions lists them with their ids", portfolio.ErrUnknownTransaction, id)
	}
	_, warning, err := d.without(l, t)
	if err != nil {
		return tool.Preview{}, err
	}
	plan := []string{"removes " + book.Booking(t)}
	if t.Source != "" {
		plan = append(plan, fmt.Sprintf("it came from a file of %s: importing that again brings it back", t.Source))
	}
	if warning != "" {
		plan = append(plan, warning)
	}
	return book.Asking(plan, &removal{t}), nil
}

// without is the change, if the book holds with it. One that does not hold anyway
// is let be: removing is how it is mended. The warning says so.
func (d Deps) without(l portfolio.Ledger, t portfolio.Transaction) (c portfolio.Change, warning string, err error) {
	c = portfolio.Change{Remove: []string{t.ID}}
	_, err = book.After(l, c)
	if err == nil {
		return c, "", nil
	}
	if _, before := book.After(l, portfolio.Change{}); before != nil {
		return c, "the book does not hold, before and after: " + err.Error(), nil
	}
	var needs *portfolio.TransactionError
	if errors.As(err, &needs) {
		return c, "", fmt.Errorf("%w: %s needs it, remove that first: %w", errEntry, book.Named(needs.Transaction), d.Veil(err))
	}
	return c, "", fmt.Errorf("%w: the book would not hold without it: %w", errEntry, d.Veil(err))
}

func (d Deps) remove(ctx context.Context, shown portfolio.Transaction) (tool.Result, error) {
	err := d.Update(ctx, func(l portfolio.Ledger) (portfolio.Change, error) {
		t, there := withID(l, shown.ID)
		if !there {
			return portfolio.Change{}, fmt.Errorf("%w %s: it is gone already", portfolio.ErrUnknownTransaction, shown.ID)
		}
		if book.Booking(t) != book.Booking(shown) {
			return portfolio.Change{}, fmt.Errorf("%w: %s was changed since it was shown; call again", errEntry, t.ID)
		}
		c, _, err := d.without(l, t)
		return c, err
	})
	if err != nil {
		return d.Refused(err, errEntry, errSetting)
	}
	a := removeAnswer{Removed: shown, Booking: book.Booking(shown), Origin: d.Origin()}
	res := tool.Result{
		Value: a, ForUser: fmt.Sprintf("Removed: %s\n\n`%s` of %s\n", present.Cell(a.Booking), shown.ID, book.Source),
		Title: present.Abridged(fmt.Sprintf("%s %s · %s", book.KindInWords(shown.Kind), shown.Symbol, present.Dated(shown.Date))), Summary: "removed",
	}
	if d.HideAmounts {
		res.ForModel, err = present.Encoded(removeHidden{book.Named(shown), present.AmountsHidden, a.Origin})
		return res, err
	}
	res.Figures = slices.Clip(sums(shown, ""))
	res.ForModel, err = present.Encoded(a)
	return res, err
}
