package bookkeeping

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// amountsHidden is what a model is told in the place of sums and quantities.
const amountsHidden = "hidden from you by the user's setting share_amounts; the user sees them"

// veiled is an error whose text has no number that the user keeps to himself.
type veiled struct {
	text string
	err  error
}

func (v *veiled) Error() string { return v.text }

// Unwrap keeps the meaning of the error.
func (v *veiled) Unwrap() error { return v.err }

// veil takes the numbers out of an error that may hold some of the book or of a
// file, where the user's setting asks for that. What went wrong and where stays.
func (d Deps) veil(err error) error {
	if err == nil || !d.HideAmounts {
		return err
	}
	text := masked(err.Error())
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	switch {
	case errors.As(err, &overdrawn):
		text = fmt.Sprintf("%v: %q would have less than no %s at the end of %s: record the deposit or exchange that paid for it, or set the account's cash to %s or %s",
			portfolio.ErrOverdrawn, overdrawn.Account, overdrawn.Currency, dated(overdrawn.Date), portfolio.CashMargin, portfolio.CashUntracked)
	case errors.As(err, &refused):
		text = fmt.Sprintf("transaction %s: %s", named(refused.Transaction), masked(refused.Err.Error()))
	}
	return &veiled{text + " (amounts are " + amountsHidden + ")", err}
}

// masked replaces each number of a text by a mark. Nothing is left from which it
// could be told, not even how long it was.
func masked(text string) string {
	var b strings.Builder
	within := false
	runes := []rune(text)
	for i, r := range runes {
		switch {
		case unicode.IsNumber(r):
			if !within {
				b.WriteRune('…')
			}
			within = true
		case within && strings.ContainsRune(".,'’ \u00a0\u202f", r) && i+1 < len(runes) && unicode.IsNumber(runes[i+1]):
		default:
			within = false
			b.WriteRune(r)
		}
	}
	return b.String()
}

// named tells which transaction is meant, without its numbers.
func named(t portfolio.Transaction) string {
	var b strings.Builder
	if t.ID != "" {
		fmt.Fprintf(&b, "%s ", t.ID)
	}
	fmt.Fprintf(&b, "(%s", t.Kind)
	if t.Symbol != "" {
		fmt.Fprintf(&b, " %s", t.Symbol)
	}
	fmt.Fprintf(&b, " on %s in %q)", dated(t.Date), t.Account)
	return b.String()
}
