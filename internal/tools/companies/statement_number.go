package companies

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// formatGrouped is a number with so many places and thousands separators.
func formatGrouped(d decimal.Decimal, places int32) string {
	whole, fraction, _ := strings.Cut(d.Abs().StringFixed(places), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if d.Round(places).IsNegative() {
		return "−" + whole
	}
	return whole
}

// scale is what sums of a table are divided by to be read.
type scale struct {
	name   string // "millions", or "" for units
	shift  int32
	places int32
}

// scaleFor keeps the largest of some sums at four digits or more.
func scaleFor(values []decimal.Decimal) scale {
	var largest decimal.Decimal
	for _, v := range values {
		largest = decimal.Max(largest, v.Abs())
	}
	switch {
	case largest.GreaterThanOrEqual(decimal.New(1, 9)):
		return scale{name: "millions", shift: -6}
	case largest.GreaterThanOrEqual(decimal.New(1, 7)):
		return scale{name: "millions", shift: -6, places: 2}
	case largest.GreaterThanOrEqual(decimal.New(1, 5)):
		return scale{name: "thousands", shift: -3}
	}
	return scale{places: 2}
}

// unitOf names the unit of scaled sums: "millions of USD".
func (s scale) unitOf(currency string) string {
	if s.name == "" {
		return currency
	}
	return s.name + " of " + currency
}

func (s scale) format(d decimal.Decimal) string { return formatGrouped(d.Shift(s.shift), s.places) }

// filingReference is the filing that a figure is from: "10-K 0000320193-25-000079 filed
// 2025-10-31", or "" where that is not known.
func filingReference(form, accession string, filed market.Date) string {
	text := strings.TrimSpace(form + " " + accession)
	if text != "" && !filed.IsZero() {
		text += " filed " + filed.Format("2006-01-02")
	}
	return text
}
