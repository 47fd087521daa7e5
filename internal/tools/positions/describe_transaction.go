package positions

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
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
