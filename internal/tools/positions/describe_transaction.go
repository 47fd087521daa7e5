package positions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// DescribeTransaction says a transaction in words, with every field that counts.
func DescribeTransaction(t portfolio.Transaction) string {
	var b strings.Builder
	add := func(include bool, format string, args ...any) {
		if include {
			fmt.Fprintf(&b, format, args...)
		}
	}
	b.WriteString(KindText(t.Kind))
	add(!t.Quantity.IsZero() && t.Kind != portfolio.KindSpinOff, " %s", t.Quantity)
	add(t.Symbol != "", " %s", t.Symbol)
	add(t.Kind == portfolio.KindSpinOff, ": %s", t.Quantity)
	add(!t.New.IsZero(), ", %s new for %s old", t.New, t.Old)
	add(t.ToSymbol != "", " %s", targetText(t))
	add(!t.Amount.IsZero(), ": %s %s", t.Amount, t.Currency)
	add(t.Price.Valid, " (at %s)", t.Price.Decimal)
	add(t.ToCurrency != "", " into %s %s", t.ToAmount, t.ToCurrency)
	add(!t.Fee.IsZero(), ", fee %s %s", t.Fee, t.Currency)
	add(!t.Tax.IsZero(), ", tax %s %s", t.Tax, t.Currency)
	add(t.CostUnknown, ", cost not known")
	add(!t.Acquired.IsZero(), ", acquired %s", toolkit.FormatDate(t.Acquired))
	add(t.CostPart.Valid, ", with %s of the cost", t.CostPart.Decimal)
	add(t.Short, ", short where not held")
	for _, p := range t.Lots {
		add(true, ", %s of lot %s", p.Quantity, p.Lot)
	}
	add(true, ", on %s in %q", toolkit.FormatDate(t.Date), t.Account)
	add(t.ToAccount != "", " to %q", t.ToAccount)
	add(t.Note != "", "; note: %s", t.Note)
	return b.String()
}

func targetText(t portfolio.Transaction) string {
	if t.Kind == portfolio.KindMerger {
		return "into " + string(t.ToSymbol)
	}
	return string(t.ToSymbol)
}

// KindText is a kind as a person writes it.
func KindText(k portfolio.Kind) string { return strings.ReplaceAll(string(k), "_", " ") }

// TransactionLabel tells which transaction is meant, without its numbers.
func TransactionLabel(t portfolio.Transaction) string {
	var b strings.Builder
	if t.ID != "" {
		fmt.Fprintf(&b, "%s ", t.ID)
	}
	fmt.Fprintf(&b, "(%s", t.Kind)
	if t.Symbol != "" {
		fmt.Fprintf(&b, " %s", t.Symbol)
	}
	fmt.Fprintf(&b, " on %s in %q)", toolkit.FormatDate(t.Date), t.Account)
	return b.String()
}

// DescribeSecurity lists what the user set for a security, "" if that is nothing.
func DescribeSecurity(s portfolio.Security) string {
	var parts []string
	for _, f := range []struct{ name, value string }{{"class", string(s.Class)}, {"region", s.Region}, {"sector", s.Sector}} {
		if f.value != "" {
			parts = append(parts, f.name+" "+f.value)
		}
	}
	if s.Fee.Valid {
		parts = append(parts, fmt.Sprintf("expense ratio %s%%", s.Fee.Decimal.Shift(2)))
	}
	return strings.Join(parts, ", ")
}

// DefaultAccount is the account that is made if a ledger has none and none is named.
const DefaultAccount = "default"

// DescribeNewAccount says what account is made, and how it keeps lots and cash; why is the reason
// of its cash policy, "" where nothing but the user chose it.
func DescribeNewAccount(a portfolio.Account, why string) string {
	cash := map[portfolio.CashPolicy]string{
		portfolio.CashTracked:   "its cash is kept and may not go below zero",
		portfolio.CashMargin:    "its cash is kept and may go below zero",
		portfolio.CashUntracked: "its cash is not kept: what a purchase costs counts as paid in, what a sale brings as taken out",
	}[a.Cash]
	if why != "" {
		cash += " (" + why + ")"
	}
	return fmt.Sprintf("makes the account %q: cost basis %s, cash %s: %s; portfolio_settings changes that", a.Name, a.Method, a.Cash, cash)
}

// MissingAccounts are the accounts that the ledger has not got yet.
func MissingAccounts(l portfolio.Ledger, wanted []portfolio.Account) []portfolio.Account {
	return slices.DeleteFunc(slices.Clone(wanted), func(a portfolio.Account) bool {
		_, exists := l.Account(a.Name)
		return exists
	})
}

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
		public = fmt.Sprintf("%v: %q would have less than no %s at the end of %s; record the missing deposit or currency exchange, or set the account's cash to %s or %s",
			portfolio.ErrOverdrawn, overdrawn.Account, overdrawn.Currency, toolkit.FormatDate(overdrawn.Date), portfolio.CashMargin, portfolio.CashUntracked)
	case errors.As(err, &refused):
		public = fmt.Sprintf("transaction %s: %s", TransactionLabel(refused.Transaction), toolkit.OwnWords(refused.Err.Error()).Redacted())
	default:
		public = toolkit.OwnWords(err.Error()).Redacted()
	}
	return toolkit.RedactError(err, public+" ("+toolkit.AmountsHiddenNote+")")
}
