package toolkit

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

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

// JoinFew lists at most ten names, and how many more there are.
func JoinFew(names []string) string {
	const limit = 10
	if len(names) <= limit {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
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

// PercentOfFraction is a fraction in percent, nil if it is not known.
func PercentOfFraction(fraction *float64) *decimal.Decimal {
	if fraction == nil {
		return nil
	}
	return new(decimal.NewFromFloat(*fraction).Shift(2))
}

// Known is a number, nil if it is not known.
func Known(n decimal.NullDecimal) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	return &n.Decimal
}

// Spaced returns at most limit elements of a list, evenly spaced from the first to the last.
func Spaced[T any](all []T, limit int) []T {
	n := len(all)
	if n <= limit {
		return all
	}
	out := make([]T, limit)
	for i := range out {
		out[i] = all[i*(n-1)/(limit-1)]
	}
	return out
}
