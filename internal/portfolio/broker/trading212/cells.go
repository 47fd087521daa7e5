package trading212

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// ledger is the table with where its sums stand.
type ledger struct {
	sheet.Table
	inNames map[string][]inName // by the name of a sum
}

// inName is a column that has the currency in its own name: "Total (EUR)".
type inName struct{ column, currency string }

// mostCurrencies is how many columns of one sum are looked at.
const mostCurrencies = 8

func newLedger(table sheet.Table) ledger {
	l := ledger{Table: table, inNames: map[string][]inName{}}
	for _, header := range table.Header.Cells {
		header = strings.TrimSpace(header)
		sum, rest, ok := strings.Cut(header, " (")
		currency, closed := strings.CutSuffix(rest, ")")
		if ok && closed && broker.ValidCurrency(currency) && len(l.inNames[sum]) < mostCurrencies {
			l.inNames[sum] = append(l.inNames[sum], inName{header, currency})
		}
	}
	return l
}

// cells are one row of the table.
type cells struct {
	table ledger
	row   sheet.Row
}

// text is a cell; Trading 212 writes out what it does not know.
func (c cells) text(column string) string {
	text := c.table.Cell(c.row, column)
	if text == "Not available" {
		return ""
	}
	return text
}

func (c cells) number(column string) (decimal.NullDecimal, error) {
	text := c.text(column)
	if text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := sheet.Number(text, sheet.Point)
	if err != nil {
		return decimal.NullDecimal{}, fmt.Errorf("%s: %w", column, err)
	}
	return decimal.NewNullDecimal(d), nil
}

// money reads a sum with its currency, which stands in a column of its own
// ("Currency (Total)") or, in older exports, in the name of the sum's.
func (c cells) money(sum string) (decimal.NullDecimal, string, error) {
	if amount, err := c.number(sum); err != nil || amount.Valid {
		return amount, c.text("Currency (" + sum + ")"), err
	}
	for _, in := range c.table.inNames[sum] {
		if amount, err := c.number(in.column); err != nil || amount.Valid {
			return amount, in.currency, err
		}
	}
	return decimal.NullDecimal{}, "", nil
}
