package holdings

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

var hundred = decimal.NewFromInt(100)

// money is a sum to the smallest unit of its currency, nil where it is not known.
func money(n decimal.NullDecimal, currency string) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	rounded := n.Decimal.Round(question.PlacesOf(currency))
	return &rounded
}

// percent is a fraction in per cent with two digits, nil where it is not known.
func percent(n decimal.NullDecimal) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	rounded := n.Decimal.Mul(hundred).Round(2)
	return &rounded
}

// percentOf is a part of a whole in per cent, nil where one is not known or the whole
// is not above zero.
func percentOf(part, whole decimal.NullDecimal) *decimal.Decimal {
	if !part.Valid || !whole.Valid || !whole.Decimal.IsPositive() {
		return nil
	}
	rounded := part.Decimal.Mul(hundred).DivRound(whole.Decimal, 2)
	return &rounded
}

// percentFloat is a return in per cent with two digits, nil where it is absent.
func percentFloat(v *float64) *decimal.Decimal {
	if v == nil {
		return nil
	}
	rounded := present.RoundedPercent(*v, 2)
	return &rounded
}

// absent stands in a table for what is not known.
const absent = "–"

// shown is a sum of a currency with separators of thousands: "-1,234.50".
func shown(d *decimal.Decimal, currency string) string {
	if d == nil {
		return absent
	}
	return grouped(d.StringFixed(question.PlacesOf(currency)))
}

// change is a sum of a change, with its sign.
func change(d *decimal.Decimal, currency string) string {
	if d == nil {
		return absent
	}
	return grouped(present.Signed(*d, question.PlacesOf(currency)))
}

// changePct is a change in per cent, with its sign.
func changePct(d *decimal.Decimal) string {
	if d == nil {
		return absent
	}
	return present.Signed(*d, 2)
}

// pct is a part in per cent.
func pct(d *decimal.Decimal) string {
	if d == nil {
		return absent
	}
	return d.StringFixed(2)
}

// grouped puts commas into the whole part of a number.
func grouped(text string) string {
	whole, rest, pointed := strings.Cut(text, ".")
	sign := ""
	if at := strings.IndexAny(whole, "0123456789"); at > 0 {
		sign, whole = whole[:at], whole[at:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if pointed {
		rest = "." + rest
	}
	return sign + whole + rest
}

// inWords is a number for the inputs of a figure: "120 USD".
func inWords(name string, d decimal.Decimal, unit string) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", name, d, unit))
}
