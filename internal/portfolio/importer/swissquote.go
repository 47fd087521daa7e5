package importer

import (
	"fmt"
	"strings"
	"time"
)

const swissquoteName = "swissquote"

// Swissquote is Swissquote's list of transactions. Order numbers are of orders and not
// of lines, and many lines have none: a line is known by all of its cells.
func Swissquote() Format {
	return Format{
		Name:       swissquoteName,
		Title:      "Swissquote, transactions (CSV)",
		Recognizes: recognizesSwissquote,
		Read:       readSwissquote,
	}
}

func recognizesSwissquote(f File) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(f.Text[:min(len(f.Text), 4096)], " \r\n"), "\n")
	rows, err := File{Name: f.Name, Text: first}.Rows(0)
	if err != nil {
		return false
	}
	_, _, ok := findSwissquoteTable(rows)
	return ok
}

func readSwissquote(f File, o Options) (Statement, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return Statement{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	t, c, ok := findSwissquoteTable(rows)
	if !ok {
		return Statement{}, fmt.Errorf("%s: %w: it has not the columns of Swissquote in English, German or French", f.Name, ErrFormat)
	}
	if err := CheckDayOrder(f, t.Rows, func(row Row) string { return t.Cell(row, c.date) }, swissquoteLayouts()...); err != nil {
		return Statement{}, err
	}
	if err := CheckDecimalSeparator(f, t, DecimalPoint, c.quantity, c.price, c.costs, c.accrued, c.net, c.accountNet, c.balance); err != nil {
		return Statement{}, err
	}
	r := swissquoteReader{collector: NewCollector(swissquoteName, o), table: t, columns: c, zone: o.Zone}
	r.read()
	return r.collector.Statement(t.Rows), nil
}

// swissquoteReader is what is known of a file.
type swissquoteReader struct {
	collector    *Collector
	table        Table
	columns      swissquoteColumns
	zone         *time.Location
	counterparts map[int]swissquoteRow // by line number: the other side of a currency exchange
}

func (r *swissquoteReader) read() {
	lines := make([]swissquoteRow, 0, len(r.table.Rows))
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		l, err := r.parseRow(row)
		if err != nil {
			r.collector.Problem(row, "%s", err.Error())
			continue
		}
		lines = append(lines, l)
	}
	r.counterparts = findSwissquoteExchanges(lines)
	for _, l := range lines {
		if !r.collector.Reported(l.row) { // else said with its other side
			r.record(l)
		}
	}
	r.checkBalances(lines)
}

// record records a line, with its other side where it has one.
func (r *swissquoteReader) record(l swissquoteRow) {
	rows := []Row{l.row}
	if other, ok := r.counterparts[l.row.Line]; ok {
		rows = append(rows, other.row)
	}
	txs, err := r.transactions(l)
	if err != nil {
		r.collector.Skip(err, rows...)
		return
	}
	r.collector.AddAll(txs, "", rows...)
}
