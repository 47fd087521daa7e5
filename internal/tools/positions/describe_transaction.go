package positions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// DescribeTransaction describes a transaction with every field that affects figures.
func DescribeTransaction(t portfolio.Transaction) string {
	var b strings.Builder
	add := func(include bool, format string, args ...any) {
		if include {
			fmt.Fprintf(&b, format, args...)
		}
	}
	b.WriteString(KindText(t.Kind))
	quantity := toolkit.Format(t.Quantity, toolkit.Exact, "")
	add(!t.Quantity.IsZero() && t.Kind != portfolio.KindSpinOff, " %s", quantity)
	add(t.Symbol != "", " %s", t.Symbol)
	add(t.Kind == portfolio.KindSpinOff, ": %s", quantity)
	add(!t.New.IsZero(), ", %s new for %s old", t.New, t.Old)
	add(t.ToSymbol != "", " %s", targetText(t))
	add(!t.Amount.IsZero(), ": %s", exactMoney(t.Amount, t.Currency))
	add(t.Price.Valid, " (at %s)", exactMoney(t.Price.Decimal, t.Currency))
	add(t.ToCurrency != "", " into %s", exactMoney(t.ToAmount, t.ToCurrency))
	add(!t.Fee.IsZero(), ", fee %s", exactMoney(t.Fee, t.Currency))
	add(!t.Tax.IsZero(), ", tax %s", exactMoney(t.Tax, t.Currency))
	add(t.CostUnknown, ", cost unknown")
	add(!t.Acquired.IsZero(), ", acquired %s", toolkit.FormatDate(t.Acquired))
	add(t.CostPart.Valid, ", with %s of the cost basis", t.CostPart.Decimal)
	add(t.Short, ", shares beyond the position are sold short")
	for _, p := range t.Lots {
		add(true, ", %s of lot %s", toolkit.Format(p.Quantity, toolkit.Exact, ""), p.Lot)
	}
	add(true, ", on %s in %q", toolkit.FormatDate(t.Date), t.Account)
	add(t.ToAccount != "", " to %q", t.ToAccount)
	add(t.Note != "", "; note: %s", t.Note)
	return b.String()
}

// exactMoney formats an amount as everywhere, with more decimals where it has them.
func exactMoney(n decimal.Decimal, currency string) string {
	if n.Equal(n.Round(toolkit.CurrencyPlaces(currency))) {
		return toolkit.Format(n, toolkit.Money, currency)
	}
	return strings.TrimSpace(toolkit.Format(n, toolkit.Exact, "") + " " + currency)
}

func targetText(t portfolio.Transaction) string {
	if t.Kind == portfolio.KindMerger {
		return "into " + string(t.ToSymbol)
	}
	return string(t.ToSymbol)
}

// KindText returns a kind with spaces in place of underscores.
func KindText(k portfolio.Kind) string { return strings.ReplaceAll(string(k), "_", " ") }

// TransactionLabel identifies a transaction without its numbers.
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

// DescribeSecurity lists what the user set for a security. It returns "" if nothing is set.
func DescribeSecurity(s portfolio.Security) string {
	var parts []string
	for _, f := range []struct{ name, value string }{{"class", string(s.Class)}, {"region", s.Region}, {"sector", s.Sector}, {"exchange", s.Exchange}, {"quoted in", s.Currency}} {
		if f.value != "" {
			parts = append(parts, f.name+" "+f.value)
		}
	}
	if s.Fee.Valid {
		parts = append(parts, fmt.Sprintf("expense ratio %s%%", s.Fee.Decimal.Shift(2)))
	}
	return strings.Join(parts, ", ")
}

// DefaultAccount is the account created if the ledger has none and the call names none.
const DefaultAccount = "default"

// DescribeNewAccount describes an account to be created, with its cost basis method and cash
// policy. why is the reason for the cash policy, "" if the user chose it.
func DescribeNewAccount(a portfolio.Account, why string) string {
	cash := map[portfolio.CashPolicy]string{
		portfolio.CashTracked:   "the balance must not go below zero",
		portfolio.CashMargin:    "the balance may go below zero",
		portfolio.CashUntracked: "purchases count as deposits and sales as withdrawals",
	}[a.Cash]
	if why != "" {
		cash += " (" + why + ")"
	}
	return fmt.Sprintf("creates the account %q: cost basis %s, cash %s: %s; change it with portfolio_settings (nfa portfolio account)", a.Name, a.Method, a.Cash, cash)
}

// MissingAccounts returns the requested accounts that the ledger does not have.
func MissingAccounts(l portfolio.Ledger, requested []portfolio.Account) []portfolio.Account {
	return slices.DeleteFunc(slices.Clone(requested), func(a portfolio.Account) bool {
		_, exists := l.Account(a.Name)
		return exists
	})
}

// Redact attaches a text without amounts to an error, for a model while the user hides amounts. The
// cause, the transaction and the date are kept.
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
		public = fmt.Sprintf("%[1]v: the %[3]s cash of %[2]q would be below zero at the end of %[4]s: record the missing deposit or exchange, or set the account's cash to %[5]s or %[6]s",
			portfolio.ErrOverdrawn, overdrawn.Account, overdrawn.Currency, toolkit.FormatDate(overdrawn.Date), portfolio.CashMargin, portfolio.CashUntracked)
	case errors.As(err, &refused):
		public = fmt.Sprintf("transaction %s: %s", TransactionLabel(refused.Transaction), toolkit.OwnWords(refused.Err.Error()).Redacted())
	default:
		public = toolkit.OwnWords(err.Error()).Redacted()
	}
	return toolkit.RedactError(err, public+" ("+toolkit.AmountsHiddenNote+")")
}
