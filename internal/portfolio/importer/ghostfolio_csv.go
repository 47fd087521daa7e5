package importer

import (
	"fmt"
	"strings"
)

// isGhostfolioCSV tells the CSV by the columns of Ghostfolio's documentation. Of its many
// other names for them, which are those of brokers' own files, none are taken.
func isGhostfolioCSV(f File) bool {
	_, ok := findGhostfolioTable(f)
	return ok
}

func findGhostfolioTable(f File) (Table, bool) {
	head := File{Name: f.Name, Text: f.Text[:min(len(f.Text), 4096)]}
	first, _, _ := strings.Cut(strings.TrimLeft(head.Text, "\r\n"), "\n")
	for _, columns := range [][]string{
		{"Date", "Code", "DataSource", "Currency", "Price", "Quantity", "Action", "Fee"},
		{"Date", "Code", "Currency", "Price", "Quantity", "Action", "Fee", "Note"},
		{"Date", "Symbol", "DataSource", "Currency", "UnitPrice", "Quantity", "Type", "Fee"},
	} {
		rows, err := File{Name: f.Name, Text: first}.Rows(0)
		if err != nil {
			return Table{}, false
		}
		if t, ok := FindTable(rows, columns...); ok {
			return t, true
		}
	}
	return Table{}, false
}

func readGhostfolioCSV(f File, o Options) (Statement, error) {
	header, ok := findGhostfolioTable(f)
	if !ok {
		return Statement{}, fmt.Errorf("%s: %w: the first line has not the columns of Ghostfolio", f.Name, ErrFormat)
	}
	rows, err := f.Rows(0)
	if err != nil {
		return Statement{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	t := NewTable(header.Header, rows[1:])
	if err := CheckDayOrder(f, t.Rows, func(row Row) string { return t.Cell(row, "Date") }, ghostfolioDayFirstLayouts()...); err != nil {
		return Statement{}, err
	}
	if err := CheckDecimalSeparator(f, t, DecimalPoint, "Fee", "Quantity", "Price", "UnitPrice"); err != nil {
		return Statement{}, err
	}
	r := ghostfolioReader{collector: NewCollector(ghostfolioName, o), zone: o.Zone, coins: ghostfolioCoins()}
	either := func(row Row, a, b string) string {
		if text := t.Cell(row, a); text != "" {
			return text
		}
		return t.Cell(row, b)
	}
	for _, row := range t.Rows {
		if row.Empty() {
			continue
		}
		a := ghostfolioActivity{
			row:      row,
			account:  either(row, "Account", "AccountId"),
			note:     either(row, "Note", "Comment"),
			fee:      ghostfolioDropSign(t.Cell(row, "Fee")),
			quantity: ghostfolioDropSign(t.Cell(row, "Quantity")),
			price:    ghostfolioDropSign(either(row, "Price", "UnitPrice")),
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

// ghostfolioDropSign drops the sign of a number: in its CSV Ghostfolio does not look at it,
// and the action alone says what came and went.
func ghostfolioDropSign(text string) string { return strings.TrimPrefix(text, "-") }
