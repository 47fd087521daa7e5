package book

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// What keeps a question about the book from being answered.
var (
	// ErrAsked marks arguments that make no question.
	ErrAsked = errors.New("cannot be asked")
	// ErrNothing means that the accounts looked at hold nothing.
	ErrNothing = errors.New("nothing is held")
)

// AskedAccounts are the accounts of a call, once each: a list, and one more.
func AskedAccounts(list []string, one string) []string {
	var out []string
	for _, name := range append(slices.Clone(list), one) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// AskedCurrency reads the currency of a call; none is "".
func AskedCurrency(text string) (string, error) {
	code, err := question.Currency(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrAsked, err)
	}
	return code, nil
}

// On sets the clock back to the end of a day that a call names: book and prices are
// then those of that day. No day leaves it as it is.
func (d Deps) On(at string) (Deps, error) {
	if strings.TrimSpace(at) == "" {
		return d, nil
	}
	day, err := question.Day("at", at)
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrAsked, err)
	}
	if today := d.Prices.Today(); day.After(today) {
		return d, fmt.Errorf("%w: at %s is after today, %s", ErrAsked, present.Dated(day), present.Dated(today))
	}
	d.Prices = d.Prices.At(day)
	return d, nil
}

// Valued opens the book and prices what the accounts of a call hold; where that is
// nothing at all, it is an ErrNothing.
func (d Deps) Valued(ctx context.Context, accounts []string, currency string) (Opened, Valuation, error) {
	currency, err := AskedCurrency(currency)
	if err != nil {
		return Opened{}, Valuation{}, err
	}
	o, err := d.Load(ctx)
	if err != nil {
		return o, Valuation{}, err
	}
	if accounts, err = o.Accounts(accounts); err != nil {
		return o, Valuation{}, err
	}
	if !o.holdsAny(accounts) {
		return o, Valuation{}, fmt.Errorf("%w in %s on %s; what was sold is in tax_lots {\"kind\":\"closed\"} (nfa portfolio lots --kind closed)", ErrNothing, strings.Join(accounts, ", "), present.Dated(o.Day))
	}
	v, err := d.Value(ctx, o, accounts, currency)
	return o, v, err
}

func (o Opened) holdsAny(accounts []string) bool {
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

// Unanswered is the answer to a question that has none. What a better question, or a
// word to the book, would avoid is a result; the rest ends the call. A model that may
// not see amounts does not see them in a refusal either.
func (d Deps) Unanswered(err error) (tool.Result, error) {
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	code := ""
	switch {
	case is(ErrAsked, ErrBase, portfolio.ErrUnknownAccount, performance.ErrQuestion, question.ErrSpan):
		code = tool.CodeValidation
	case is(ErrEmpty, ErrNothing, performance.ErrEmpty, portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn):
		code = tool.CodeNoData
	default:
		return present.Mendable(d.discreet(err))
	}
	res := tool.Failed(code, d.discreet(err).Error())
	res.ForUser = present.ForPeople(err.Error())
	return res, nil
}

// discreet is an error as the model may read it. Days stay in what the program says
// of a question; what the book says of its transactions has a veil of its own.
func (d Deps) discreet(err error) error {
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	switch {
	case !d.HideAmounts:
		return err
	case errors.As(err, &refused), errors.As(err, &overdrawn):
		return d.Veil(err)
	}
	return present.Discreet(err, present.KeptSaid)
}
