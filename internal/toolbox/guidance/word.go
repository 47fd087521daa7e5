package guidance

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// percent is a fraction in per cent, as people read it.
func percent(part decimal.Decimal) string {
	return minus(part.Shift(2).Round(2).String()) + " %"
}

// minus writes the sign of a number below zero as all changes have it.
func minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// pointed is a fraction in per cent with two digits, for a column.
func pointed(part decimal.Decimal) string { return minus(part.Shift(2).StringFixed(2)) }

// money is a sum to the smallest unit of its currency.
func money(amount decimal.Decimal, currency string) decimal.Decimal {
	return amount.Round(question.PlacesOf(currency))
}

// grouped is a sum with separators of thousands: "−1,234.50".
func grouped(amount decimal.Decimal, currency string) string {
	return minus(present.Grouped(amount.StringFixed(question.PlacesOf(currency))))
}

// list writes "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
