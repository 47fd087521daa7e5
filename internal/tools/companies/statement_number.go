package companies

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// scale is what sums of a table are divided by to be read.
type scale struct {
	name   string // "millions", or "" for units
	shift  int32
	places int32
}

// scaleFor keeps the largest of some sums at four digits or more.
func scaleFor(values ...decimal.Decimal) scale {
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

func (s scale) format(d decimal.Decimal) string {
	return toolkit.GroupThousands(d.Shift(s.shift).StringFixed(s.places))
}

// formatAmount writes an amount with its unit: "416,161 million USD". That it is per share is for its label
// to say.
func formatAmount(d decimal.Decimal, unit string) string {
	s := scaleFor(d)
	return strings.Join(strings.Fields(s.format(d)+" "+strings.TrimSuffix(s.name, "s")+" "+strings.TrimSuffix(unit, "/share")), " ")
}

// formatAmountZH writes an amount in the units of Chinese: "4,161.61 亿 USD".
func formatAmountZH(d decimal.Decimal, unit string) string {
	scaled, name := d, ""
	switch size := d.Abs(); {
	case size.GreaterThanOrEqual(decimal.New(1, 8)):
		scaled, name = d.Shift(-8), "亿 "
	case size.GreaterThanOrEqual(decimal.New(1, 4)):
		scaled, name = d.Shift(-4), "万 "
	}
	return toolkit.Format(scaled.Round(2), toolkit.Number, "") + " " + name + strings.TrimSuffix(unit, "/share")
}

// filingReference is the filing that a figure is from: "10-K 0000320193-25-000079 filed
// 2025-10-31", or "" where that is not known.
func filingReference(form, accession string, filed market.Date) string {
	text := strings.TrimSpace(form + " " + accession)
	if text != "" && !filed.IsZero() {
		text += " filed " + filed.Format("2006-01-02")
	}
	return text
}
