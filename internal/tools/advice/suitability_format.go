package advice

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// formatPercent is a fraction in per cent, as people read it.
func formatPercent(part decimal.Decimal) string {
	return typographicMinus(part.Shift(2).Round(2).String()) + " %"
}

// typographicMinus writes the sign of a number below zero as all changes have it.
func typographicMinus(text string) string { return strings.Replace(text, "-", "−", 1) }

// formatPercentFixed is a fraction in per cent with two digits, for a column.
func formatPercentFixed(part decimal.Decimal) string {
	return typographicMinus(part.Shift(2).StringFixed(2))
}

// roundMoney is a sum to the smallest unit of its currency.
func roundMoney(amount decimal.Decimal, currency string) decimal.Decimal {
	return amount.Round(toolkit.CurrencyPlaces(currency))
}

// formatMoney is a sum with separators of thousands: "−1,234.50".
func formatMoney(amount decimal.Decimal, currency string) string {
	return typographicMinus(toolkit.GroupThousands(amount.StringFixed(toolkit.CurrencyPlaces(currency))))
}

// joinAnd writes "a, b and c".
func joinAnd(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}
