package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// trading212Table is the table with where its sums stand.
type trading212Table struct {
	Table
	byName map[string][]trading212NamedColumn // by the name of a sum
}

// trading212NamedColumn is a column that has the currency in its own name: "Total (EUR)".
type trading212NamedColumn struct{ column, currency string }

// maxTrading212Currencies is how many columns of one sum are looked at.
const maxTrading212Currencies = 8

func newTrading212Table(table Table) trading212Table {
	l := trading212Table{Table: table, byName: map[string][]trading212NamedColumn{}}
	for _, header := range table.Header.Cells {
		header = strings.TrimSpace(header)
		sum, rest, ok := strings.Cut(header, " (")
		currency, closed := strings.CutSuffix(rest, ")")
		if ok && closed && ValidCurrency(currency) && len(l.byName[sum]) < maxTrading212Currencies {
			l.byName[sum] = append(l.byName[sum], trading212NamedColumn{header, currency})
		}
	}
	return l
}

// trading212Cells are one row of the table.
type trading212Cells struct {
	table trading212Table
	row   Row
}

// text is a cell; Trading 212 writes out what it does not know.
func (c trading212Cells) text(column string) string {
	text := c.table.Cell(c.row, column)
	if text == "Not available" {
		return ""
	}
	return text
}

func (c trading212Cells) number(column string) (decimal.NullDecimal, error) {
	text := c.text(column)
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := ParseNumber(text, DecimalPoint)
	if err != nil {
		return decimal.NullDecimal{}, fmt.Errorf("%s: %w", column, err)
	}
	return decimal.NewNullDecimal(d), nil
}

// money reads a sum with its currency, which stands in a column of its own
// ("Currency (Total)") or, in older exports, in the name of the sum's.
func (c trading212Cells) money(sum string) (decimal.NullDecimal, string, error) {
	if amount, err := c.number(sum); err != nil || amount.Valid {
		return amount, c.text("Currency (" + sum + ")"), err
	}
	for _, in := range c.table.byName[sum] {
		if amount, err := c.number(in.column); err != nil || amount.Valid {
			return amount, in.currency, err
		}
	}
	return decimal.NullDecimal{}, "", nil
}
