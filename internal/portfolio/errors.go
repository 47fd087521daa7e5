package portfolio

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// TransactionError means that one transaction cannot be recorded or applied. It wraps the
// reason: ErrInvalid, ErrNotHeld or ErrUnknownAccount.
type TransactionError struct {
	Transaction Transaction
	Err         error
}

// Error names the transaction and gives the reason.
func (e *TransactionError) Error() string {
	return fmt.Sprintf("transaction %s: %v", e.Transaction.Describe(), e.Err)
}

// Unwrap is the reason.
func (e *TransactionError) Unwrap() error { return e.Err }

// OverdrawnError is cash below zero at the end of a day, in an account that may not
// owe. It wraps ErrOverdrawn.
type OverdrawnError struct {
	Account, Currency string
	Amount            decimal.Decimal // below zero
	Date              market.Date
}

// Error says what is missing and what to do about it.
func (e *OverdrawnError) Error() string {
	return fmt.Sprintf("%v: %q would have %s %s at the end of %s: record the deposit or exchange that paid for it, or set the account's cash to %s or %s",
		ErrOverdrawn, e.Account, e.Amount, e.Currency, formatDate(e.Date), CashMargin, CashUntracked)
}

// Unwrap is ErrOverdrawn.
func (e *OverdrawnError) Unwrap() error { return ErrOverdrawn }

// transactionError names the transaction that an error is about.
func transactionError(t *Transaction, err error) error {
	return &TransactionError{Transaction: *t, Err: err}
}

// Describe names a transaction in errors: its ID, and in words what happened.
func (t Transaction) Describe() string {
	var s strings.Builder
	if t.ID != "" {
		fmt.Fprintf(&s, "%s ", t.ID)
	}
	fmt.Fprintf(&s, "(%s", t.Kind)
	if !t.Quantity.IsZero() {
		fmt.Fprintf(&s, " %s", shortNumber(t.Quantity))
	}
	if t.Symbol != "" {
		fmt.Fprintf(&s, " %s", t.Symbol)
	}
	fmt.Fprintf(&s, " on %s in %q)", formatDate(t.Date), t.Account)
	return s.String()
}

func formatDate(d market.Date) string { return d.Format("2006-01-02") }

// shortNumber is for numbers that may be absurd: written out they could fill a screen.
func shortNumber(d decimal.Decimal) string {
	if CheckMagnitude("", d) != nil {
		return "a number out of bounds"
	}
	return d.String()
}
