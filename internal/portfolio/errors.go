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

// Unwrap returns the reason.
func (e *TransactionError) Unwrap() error { return e.Err }

// OverdrawnError reports negative cash at the end of a day in an account with CashTracked. It wraps
// ErrOverdrawn.
type OverdrawnError struct {
	Account, Currency string
	Amount            decimal.Decimal // negative
	Date              market.Date
}

// Error states the shortfall and how to fix it.
func (e *OverdrawnError) Error() string {
	return fmt.Sprintf("%v: %q would have %s %s at the end of %s; record the missing deposit or currency exchange, or set the account's cash to %s or %s",
		ErrOverdrawn, e.Account, e.Amount, e.Currency, formatDate(e.Date), CashMargin, CashUntracked)
}

// Unwrap returns ErrOverdrawn.
func (e *OverdrawnError) Unwrap() error { return ErrOverdrawn }

// transactionError wraps err in a TransactionError.
func transactionError(t *Transaction, err error) error {
	return &TransactionError{Transaction: *t, Err: err}
}

// Describe identifies a transaction in errors: its ID, kind, quantity, symbol, date and account.
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

// shortNumber formats d for an error. Oversized numbers are replaced, because they could fill a
// screen.
func shortNumber(d decimal.Decimal) string {
	if CheckMagnitude("", d) != nil {
		return "number out of range"
	}
	return d.String()
}
