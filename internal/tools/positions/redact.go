package positions

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Redact adds to an error that may name amounts of the portfolio the text that a model reads of it
// if the user hides amounts. What went wrong, the transaction and the day stay.
func Redact(err error) error {
	if err == nil {
		return nil
	}
	if _, done := tool.RedactedText(err); done {
		return err
	}
	var refused *portfolio.TransactionError
	var overdrawn *portfolio.OverdrawnError
	public := ""
	switch {
	case errors.As(err, &overdrawn):
		public = fmt.Sprintf("%v: %q would have less than no %s at the end of %s: record the deposit or exchange that paid for it, or set the account's cash to %s or %s",
			portfolio.ErrOverdrawn, overdrawn.Account, overdrawn.Currency, toolkit.FormatDate(overdrawn.Date), portfolio.CashMargin, portfolio.CashUntracked)
	case errors.As(err, &refused):
		public = fmt.Sprintf("transaction %s: %s", TransactionLabel(refused.Transaction), toolkit.OwnWords(refused.Err.Error()).Redacted())
	default:
		public = toolkit.OwnWords(err.Error()).Redacted()
	}
	return toolkit.RedactError(err, public+" ("+toolkit.AmountsHiddenNote+")")
}
