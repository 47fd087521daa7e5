// Package swissquote reads Swissquote's list of transactions (CSV), in English,
// German and French.
//
// The net amount is what the cash of an account in one currency changed by. Costs of
// a trade are fees; those of a dividend are the tax that was withheld. The balance
// after each line is checked: where lines are missing between two others, the later
// one is reported, and what it says itself is read all the same.
package swissquote

import (
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "swissquote"

// Format is Swissquote's list of transactions. Order numbers are of orders and not
// of lines, and many lines have none: a line is known by all of its cells.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Swissquote, transactions (CSV)",
		Recognizes: recognizes,
		Read:       read,
	}
}

func recognizes(f sheet.File) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(f.Text[:min(len(f.Text), 4096)], " \r\n"), "\n")
	rows, err := sheet.File{Name: f.Name, Text: first}.Rows(0)
	if err != nil {
		return false
	}
	_, _, ok := find(rows)
	return ok
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return broker.Statement{}, fmt.Errorf("%w: %w", broker.ErrFormat, err)
	}
	t, c, ok := find(rows)
	if !ok {
		return broker.Statement{}, fmt.Errorf("%s: %w: it has not the columns of Swissquote in English, German or French", f.Name, broker.ErrFormat)
	}
	if err := broker.InOrder(f, t.Rows, func(row sheet.Row) string { return t.Cell(row, c.date) }, layouts()...); err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InSign(f, t, sheet.Point, c.quantity, c.price, c.costs, c.accrued, c.net, c.accountNet, c.balance); err != nil {
		return broker.Statement{}, err
	}
	r := reader{collector: broker.NewCollector(name, o), table: t, columns: c, zone: o.Zone}
	r.read()
	return r.collector.Statement(t.Rows), nil
}

// reader is what is known of a file.
type reader struct {
	collector *broker.Collector
	table     sheet.Table
	columns   columns
	zone      *time.Location
	others    map[int]line // by line number: the other side of a currency exchange
}

func (r *reader) read() {
	lines := make([]line, 0, len(r.table.Rows))
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		l, err := r.line(row)
		if err != nil {
			r.collector.Problem(row, "%s", err.Error())
			continue
		}
		lines = append(lines, l)
	}
	r.others = exchanges(lines)
	for _, l := range lines {
		if !r.collector.Named(l.row) { // else said with its other side
			r.book(l)
		}
	}
	r.check(lines)
}

// book records a line, with its other side where it has one.
func (r *reader) book(l line) {
	rows := []sheet.Row{l.row}
	if other, ok := r.others[l.row.Line]; ok {
		rows = append(rows, other.row)
	}
	made, err := r.transactions(l)
	if err != nil {
		r.collector.Leave(err, rows...)
		return
	}
	r.collector.AddAll(made, "", rows...)
}
