package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// These errors prevent nfa from answering a request about the portfolio.
var (
	// ErrInvalidRequest marks arguments that are invalid or contradict each other.
	ErrInvalidRequest = errors.New("invalid request")
	// ErrNoPositions means that the requested accounts are empty.
	ErrNoPositions = errors.New("no positions")
)

// RequestedAccounts merges the list of accounts and the single account of a call, without
// duplicates.
func RequestedAccounts(list []string, account string) []string {
	var out []string
	for _, name := range append(slices.Clone(list), account) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// RequestedCurrency parses the currency of a call. It returns "" if there is none.
func RequestedCurrency(text string) (string, error) {
	code, err := toolkit.ParseCurrency(text)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrInvalidRequest, err)
	}
	return code, nil
}

// AsOf sets the clock back to the end of the day that a call names, so that portfolio and prices
// are those of that day. If at is empty, the clock is unchanged.
func (d Deps) AsOf(at string) (Deps, error) {
	if strings.TrimSpace(at) == "" {
		return d, nil
	}
	day, err := toolkit.ParseDay("at", at)
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrInvalidRequest, err)
	}
	if today := d.Prices.Today(); day.After(today) {
		return d, fmt.Errorf("%w: at %s is after today, %s", ErrInvalidRequest, toolkit.FormatDate(day), toolkit.FormatDate(today))
	}
	d.Prices = d.Prices.At(day)
	return d, nil
}

// LoadAndValue opens the portfolio and values the requested accounts. If they are empty, it returns
// ErrNoPositions.
func (d Deps) LoadAndValue(ctx context.Context, accounts []string, currency string) (Portfolio, Valuation, error) {
	currency, err := RequestedCurrency(currency)
	if err != nil {
		return Portfolio{}, Valuation{}, err
	}
	o, err := d.Load(ctx)
	if err != nil {
		return o, Valuation{}, err
	}
	v, err := d.valueAccounts(ctx, o, accounts, currency)
	return o, v, err
}

func (d Deps) valueAccounts(ctx context.Context, o Portfolio, accounts []string, currency string) (Valuation, error) {
	accounts, err := o.CheckAccounts(accounts)
	if err != nil {
		return Valuation{}, err
	}
	if !o.holdsAnything(accounts) {
		return Valuation{}, fmt.Errorf("%w in %s on %s; for closed lots: tax_lots {\"kind\":\"closed\"} (nfa portfolio lots --kind closed)", ErrNoPositions, strings.Join(accounts, ", "), toolkit.FormatDate(o.Day))
	}
	return d.Value(ctx, o, accounts, currency)
}

func (o Portfolio) holdsAnything(accounts []string) bool {
	cash := func(b portfolio.Balance) bool { return slices.Contains(accounts, b.Account) && !b.Amount.IsZero() }
	if slices.ContainsFunc(o.Engine.Balances(), cash) {
		return true
	}
	for h := range o.Engine.OpenPositions() {
		if slices.Contains(accounts, h.Account) && !h.Quantity.IsZero() {
			return true
		}
	}
	return false
}

// ErrorResult converts an error to a result if a different call, or a change of the ledger, would
// avoid it. Other errors end the call. An error about transactions also has a text without amounts.
func (d Deps) ErrorResult(err error) (tool.Result, error) {
	matches := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	var refused *portfolio.TransactionError
	if errors.As(err, &refused) || matches(portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn) {
		err = Redact(err)
	}
	code := ""
	switch {
	case matches(ErrInvalidRequest, ErrNoBaseCurrency, portfolio.ErrUnknownAccount, performance.ErrInvalidRequest, toolkit.ErrPeriod):
		code = tool.CodeValidation
	case matches(ErrEmptyLedger, ErrNoPositions, performance.ErrNoTransactions, portfolio.ErrInvalid, portfolio.ErrNotHeld, portfolio.ErrOverdrawn):
		code = tool.CodeNoData
	default:
		return toolkit.SourceErrorResult(Redact(err))
	}
	res := tool.FailedError(code, err)
	res.ForUser = err.Error()
	return res, nil
}
