package positions

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Formulas that several portfolio tools use.
const (
	FormulaValue    = "quantity * price * exchange rate"
	FormulaGain     = "value - cost; cost = " + FormulaBaseCost
	FormulaBaseCost = "cost of each lot * rate of the day it was acquired"
)

// RoundMoney is a sum to the smallest unit of its currency, nil where it is not known.
func RoundMoney(n decimal.NullDecimal, currency string) *decimal.Decimal {
	if !n.Valid {
		return nil
	}
	rounded := n.Decimal.Round(toolkit.CurrencyPlaces(currency))
	return &rounded
}

// FormatMoney is a sum of a currency as people read it: "-1,234.50".
func FormatMoney(d *decimal.Decimal, currency string) string {
	if d == nil {
		return toolkit.Absent
	}
	return toolkit.GroupThousands(d.StringFixed(toolkit.CurrencyPlaces(currency)))
}

// FormatMoneyChange is a sum by which something changed, with its sign.
func FormatMoneyChange(d *decimal.Decimal, currency string) string {
	if d == nil {
		return toolkit.Absent
	}
	return toolkit.GroupThousands(toolkit.FormatSigned(*d, toolkit.CurrencyPlaces(currency)))
}

// SubtractKnown is a difference, invalid where one of both is.
func SubtractKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Sub(b.Decimal))
}

// AddKnown is a sum, invalid where one of both is.
func AddKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}
