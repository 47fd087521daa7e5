package present

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// Absent stands in a table for what is not known.
const Absent = "–"

// InPercent is a fraction in per cent with two digits, nil where it is not known.
func InPercent(fraction decimal.NullDecimal) *decimal.Decimal {
	if !fraction.Valid {
		return nil
	}
	rounded := fraction.Decimal.Shift(2).Round(2)
	return &rounded
}

// ShareOf is a part of a whole in per cent with two digits, nil where one is not known
// or the whole is not above zero.
func ShareOf(part, whole decimal.NullDecimal) *decimal.Decimal {
	if !part.Valid || !whole.Valid || !whole.Decimal.IsPositive() {
		return nil
	}
	rounded := part.Decimal.Shift(2).DivRound(whole.Decimal, 2)
	return &rounded
}

// GainPct is a gain in per cent of what was spent, whatever the sign of that: what a
// short position brought is below zero.
func GainPct(gain, spent decimal.NullDecimal) *decimal.Decimal {
	spent.Decimal = spent.Decimal.Abs()
	return ShareOf(gain, spent)
}

// Change is a change in per cent as people read it, with its sign.
func Change(pct *decimal.Decimal) string {
	if pct == nil {
		return Absent
	}
	return Signed(*pct, 2)
}

// Percent is a part in per cent as people read it.
func Percent(pct *decimal.Decimal) string {
	if pct == nil {
		return Absent
	}
	return pct.StringFixed(2)
}

// Grouped puts commas into the whole part of a number: "-1,234.50".
func Grouped(text string) string {
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

// Input is a number that a figure was computed of: "price 120 USD".
func Input(name string, d decimal.Decimal, unit string) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", name, d, unit))
}

// CountOf is a count as the value of a figure.
func CountOf(n int) *decimal.Decimal {
	d := decimal.NewFromInt(int64(n))
	return &d
}

// Few lists at most ten names, and how many more there are.
func Few(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Warned is a summary with how many warnings there are, and the flags of prices.
func Warned(summary string, warnings []string, loud string) string {
	switch n := len(warnings); n {
	case 0:
	case 1:
		summary += " · 1 warning"
	default:
		summary += fmt.Sprintf(" · %d warnings", n)
	}
	if loud != "" {
		summary += " · " + loud
	}
	return summary
}
