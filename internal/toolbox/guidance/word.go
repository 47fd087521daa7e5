package guidance

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// percent is a fraction in per cent, as people read it.
func percent(part decimal.Decimal) string { return part.Shift(2).Round(2).String() + " %" }

// pointed is a fraction in per cent with two digits, for a column.
func pointed(part decimal.Decimal) string { return part.Shift(2).StringFixed(2) }

// money is a sum to the smallest unit of its currency.
func money(amount decimal.Decimal, currency string) decimal.Decimal {
	return amount.Round(question.PlacesOf(currency))
}

// grouped is a sum with separators of thousands: "-1,234.50".
func grouped(amount decimal.Decimal, currency string) string {
	text := amount.StringFixed(question.PlacesOf(currency))
	whole, rest, fraction := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction {
		rest = "." + rest
	}
	return sign + whole + rest
}

// list writes "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
