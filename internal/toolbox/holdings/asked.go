package holdings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

var (
	// errAsked marks arguments that make no question.
	errAsked = errors.New("cannot be asked")
	// errNothing means that the accounts looked at hold nothing.
	errNothing = errors.New("nothing is held")
)

// named are the accounts of a call, once each: a list, and one more.
func named(list []string, one string) []string {
	var out []string
	for _, name := range append(slices.Clone(list), one) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// currencyOf reads the currency of a call; none is "".
func currencyOf(text string) (string, error) {
	code, err := question.Currency(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errAsked, err)
	}
	return code, nil
}

// on sets the clock back to the end of a day that a call names: book and prices are
// then those of that day. No day leaves it as it is.
func (d Deps) on(at string) (Deps, error) {
	if strings.TrimSpace(at) == "" {
		return d, nil
	}
	day, err := question.Day("at", at)
	if err != nil {
		return d, fmt.Errorf("%w: %w", errAsked, err)
	}
	now := d.Now()
	switch today := question.Today(now); {
	case day.After(today):
		return d, fmt.Errorf("%w: at %s is after today, %s", errAsked, present.Dated(day), present.Dated(today))
	case day.Equal(today):
		return d, nil
	}
	end := time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, now.Location())
	d.Now, d.Replay = func() time.Time { return end }, true
	return d, nil
}

// valued opens the book and prices what the accounts hold.
func (d Deps) valued(ctx context.Context, accounts []string, currency string) (book.Opened, book.Valuation, error) {
	currency, err := currencyOf(currency)
	if err != nil {
		return book.Opened{}, book.Valuation{}, err
	}
	o, err := d.Load(ctx)
	if err != nil {
		return o, book.Valuation{}, err
	}
	if accounts, err = o.Accounts(accounts); err != nil {
		return o, book.Valuation{}, err
	}
	if !holdsAny(o, accounts) {
		return o, book.Valuation{}, fmt.Errorf("%w in %s on %s; what was sold is in tax_lots with kind closed", errNothing, strings.Join(accounts, ", "), present.Dated(o.Day))
	}
	v, err := d.Value(ctx, o, accounts, currency)
	return o, v, err
}

func holdsAny(o book.Opened, accounts []string) bool {
	cash := func(b portfolio.Balance) bool { return slices.Contains(accounts, b.Account) && !b.Amount.IsZero() }
	if slices.ContainsFunc(o.Book.Balances(), cash) {
		return true
	}
	for h := range o.Book.Holdings() {
		if slices.Contains(accounts, h.Account) && !h.Quantity.IsZero() {
			return true
		}
	}
	return false
}

// refused is the answer to what cannot be answered. What a better question, or a
// word to the book, would avoid is a result; the rest ends the call. A model that
// may not see amounts does not see them in a refusal either.
func (d Deps) refused(err error) (tool.Result, error) {
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	code := ""
	switch {
	case is(errAsked, book.ErrBase, portfolio.ErrUnknownAccount, performance.ErrQuestion, question.ErrSpan, tax.ErrUnknownJurisdiction):
		code = tool.CodeValidation
	case is(book.ErrEmpty, performance.ErrEmpty, errNothing, portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn):
		code = tool.CodeNoData
	default:
		return present.Mendable(d.discreet(err))
	}
	res := tool.Failed(code, d.discreet(err).Error())
	res.ForUser = err.Error()
	return res, nil
}

// discreet is an error as the model may read it.
func (d Deps) discreet(err error) error {
	if err == nil || !d.HideAmounts {
		return err
	}
	return discreet{err}
}

type discreet struct{ error }

func (d discreet) Error() string { return masked(d.error.Error()) }
func (d discreet) Unwrap() error { return d.error }
