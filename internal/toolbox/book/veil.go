package book

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// Veil takes the numbers out of an error that may hold some of the book or of a
// file, where the user's setting asks for that. What went wrong, in which transaction
// and on which day stays, and so does what the error is.
func (d Deps) Veil(err error) error {
	if err == nil || !d.HideAmounts {
		return err
	}
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	text := ""
	switch {
	case errors.As(err, &overdrawn):
		text = fmt.Sprintf("%v: %q would have less than no %s at the end of %s: record the deposit or exchange that paid for it, or set the account's cash to %s or %s",
			portfolio.ErrOverdrawn, overdrawn.Account, overdrawn.Currency, present.Dated(overdrawn.Date), portfolio.CashMargin, portfolio.CashUntracked)
	case errors.As(err, &refused):
		text = fmt.Sprintf("transaction %s: %s", Named(refused.Transaction), masked(refused.Err.Error(), wordsOf(refused.Transaction)...))
	default:
		text = masked(err.Error())
	}
	return present.Reworded(err, text+" ("+present.AmountsHidden+")")
}

// VeilText is a text of a file or of the book as a model may read it: of its numbers,
// days alone stay.
func (d Deps) VeilText(text string) string {
	if d.HideAmounts {
		return masked(text)
	}
	return text
}

// masked leaves no number but days: neither a file nor a note says which of its other
// numbers are sums.
func masked(text string, spared ...string) string {
	return present.Masked(text, present.KeptDates, spared...)
}
