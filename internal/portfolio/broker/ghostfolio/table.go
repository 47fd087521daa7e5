package ghostfolio

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// isTable tells the CSV by the columns of Ghostfolio's documentation. Of its many
// other names for them, which are those of brokers' own files, none are taken.
func isTable(f sheet.File) bool {
	_, ok := find(f)
	return ok
}

func find(f sheet.File) (sheet.Table, bool) {
	head := sheet.File{Name: f.Name, Text: f.Text[:min(len(f.Text), 4096)]}
	first, _, _ := strings.Cut(strings.TrimLeft(head.Text, "\r\n"), "\n")
	for _, columns := range [][]string{
		{"Date", "Code", "DataSource", "Currency", "Price", "Quantity", "Action", "Fee"},
		{"Date", "Code", "Currency", "Price", "Quantity", "Action", "Fee", "Note"},
		{"Date", "Symbol", "DataSource", "Currency", "UnitPrice", "Quantity", "Type", "Fee"},
	} {
		rows, err := sheet.File{Name: f.Name, Text: first}.Rows(0)
		if err != nil {
			return sheet.Table{}, false
		}
		if t, ok := sheet.Find(rows, columns...); ok {
			return t, true
		}
	}
	return sheet.Table{}, false
}

func readTable(f sheet.File, o broker.Options) (broker.Statement, error) {
	header, ok := find(f)
	if !ok {
		return broker.Statement{}, fmt.Errorf("%s: %w: the first line has not the columns of Ghostfolio", f.Name, broker.ErrFormat)
	}
	rows, err := f.Rows(0)
	if err != nil {
		return broker.Statement{}, fmt.Errorf("%w: %w", broker.ErrFormat, err)
	}
	t := sheet.NewTable(header.Header, rows[1:])
	if err := broker.InOrder(f, t.Rows, func(row sheet.Row) string { return t.Cell(row, "Date") }, dayFirst()...); err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InSign(f, t, sheet.Point, "Fee", "Quantity", "Price", "UnitPrice"); err != nil {
		return broker.Statement{}, err
	}
	r := reader{collector: broker.NewCollector(name, o), zone: o.Zone, coins: coins()}
	either := func(row sheet.Row, a, b string) string {
		if text := t.Cell(row, a); text != "" {
			return text
		}
		return t.Cell(row, b)
	}
	for _, row := range t.Rows {
		if row.Empty() {
			continue
		}
		a := activity{
			row:      row,
			account:  either(row, "Account", "AccountId"),
			note:     either(row, "Note", "Comment"),
			fee:      unsigned(t.Cell(row, "Fee")),
			quantity: unsigned(t.Cell(row, "Quantity")),
			price:    unsigned(either(row, "Price", "UnitPrice")),
			kind:     strings.ToUpper(either(row, "Action", "Type")),
			currency: t.Cell(row, "Currency"),
			source:   strings.ToUpper(t.Cell(row, "DataSource")),
			date:     t.Cell(row, "Date"),
			symbol:   either(row, "Code", "Symbol"),
		}
		r.add(a)
	}
	return r.collector.Statement(t.Rows), nil
}

// unsigned drops the sign of a number: in its CSV Ghostfolio does not look at it,
// and the action alone says what came and went.
func unsigned(text string) string { return strings.TrimPrefix(text, "-") }
