package toolkit

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// Absent stands in a table for what is not known.
const Absent = "–"

// ToPercent is a fraction in per cent with two digits, nil where it is not known.
func ToPercent(fraction decimal.NullDecimal) *decimal.Decimal {
	if !fraction.Valid {
		return nil
	}
	rounded := fraction.Decimal.Shift(2).Round(2)
	return &rounded
}

// SharePct is a part of a whole in per cent with two digits, nil where one is not known
// or the whole is not above zero.
func SharePct(part, whole decimal.NullDecimal) *decimal.Decimal {
	if !part.Valid || !whole.Valid || !whole.Decimal.IsPositive() {
		return nil
	}
	rounded := part.Decimal.Shift(2).DivRound(whole.Decimal, 2)
	return &rounded
}

// GainPct is a gain in per cent of what was spent, whatever the sign of that: what a
// short position brought is below zero.
func GainPct(gain, cost decimal.NullDecimal) *decimal.Decimal {
	cost.Decimal = cost.Decimal.Abs()
	return SharePct(gain, cost)
}

// FormatChange is a change in per cent as people read it, with its sign.
func FormatChange(pct *decimal.Decimal) string {
	if pct == nil {
		return Absent
	}
	return FormatSigned(*pct, 2)
}

// FormatPercent is a part in per cent as people read it.
func FormatPercent(pct *decimal.Decimal) string {
	if pct == nil {
		return Absent
	}
	return pct.StringFixed(2)
}

// GroupThousands puts commas into the whole part of a number: "-1,234.50".
func GroupThousands(text string) string {
	whole, fraction, hasFraction := strings.Cut(text, ".")
	sign := ""
	if at := strings.IndexAny(whole, "0123456789"); at > 0 {
		sign, whole = whole[:at], whole[at:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// FigureInput is a number that a figure was computed of: "price 120 USD".
func FigureInput(name string, d decimal.Decimal, unit string) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", name, d, unit))
}

// CountValue is a count as the value of a figure.
func CountValue(n int) *decimal.Decimal {
	d := decimal.NewFromInt(int64(n))
	return &d
}

// JoinFew lists at most ten names, and how many more there are.
func JoinFew(names []string) string {
	const limit = 10
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
}

// WithWarningCount is a summary with how many warnings there are, and the flags of prices.
func WithWarningCount(summary string, warnings []string, flags string) string {
	switch n := len(warnings); n {
	case 0:
	case 1:
		summary += " · 1 warning"
	default:
		summary += fmt.Sprintf(" · %d warnings", n)
	}
	if flags != "" {
		summary += " · " + flags
	}
	return summary
}

// percentPlaces are the decimals of a percentage that is computed by a division.
const percentPlaces = 16

// PercentOf is a part of a whole in percent, nil if the whole is zero.
func PercentOf(part, whole decimal.Decimal) *decimal.Decimal {
	if whole.IsZero() {
		return nil
	}
	percent := part.Shift(2).DivRound(whole, percentPlaces)
	return &percent
}
