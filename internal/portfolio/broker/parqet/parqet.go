// Package parqet reads the activities that Parqet exports (CSV).
//
// An amount is shares times price, before fee and tax; what was paid or received is
// the amount with both. A tax below zero was given back with a sale or income, as
// German banks do of what they withheld before, and is a transaction of its own. The
// day is the one in the column "date", which is local to who exported it; "datetime"
// is the moment in UTC.
package parqet

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "parqet"

// Format is Parqet's export. It has no numbers of activities: a line is known by
// what happened, and not by the gains and names beside it, which change.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Parqet, activities (CSV)",
		Recognizes: func(f sheet.File) bool { return broker.Heads(f, columns()...) },
		Read:       read,
	}
}

func columns() []string {
	return []string{"datetime", "date", "price", "shares", "amount", "tax", "fee", "type", "assettype", "identifier", "currency"}
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	t, err := broker.Table(f, columns()...)
	if err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InOrder(f, t.Rows, func(row sheet.Row) string { return t.Cell(row, "date") }, layout); err != nil {
		return broker.Statement{}, err
	}
	r := reader{collector: broker.NewCollector(name, o), table: t, sign: signOf(t)}
	for _, row := range t.Rows {
		if !row.Empty() {
			r.book(row)
		}
	}
	return r.collector.Statement(t.Rows), nil
}

// layout is how days are written; files that were saved again may have the year first.
const layout = "02.01.2006"

// signOf is the decimal sign: Parqet's is a comma, and files that were saved again
// by a spreadsheet may have a point.
func signOf(t sheet.Table) sheet.Sign {
	var cells []string
	for _, row := range t.Rows {
		for _, column := range []string{"price", "shares", "amount", "tax", "fee"} {
			cells = append(cells, t.Cell(row, column))
		}
	}
	if sign, sure := sheet.GuessSign(cells); sure {
		return sign
	}
	return sheet.Comma
}

// reader is what is known of a file.
type reader struct {
	collector *broker.Collector
	table     sheet.Table
	sign      sheet.Sign
	counter   sheet.Counter
}

func (r *reader) book(row sheet.Row) {
	l, err := r.line(row)
	if err != nil {
		r.collector.Leave(err, row)
		return
	}
	made, err := l.transactions()
	if err != nil {
		r.collector.Leave(err, row)
		return
	}
	var cells []string
	for _, column := range columns() {
		cells = append(cells, r.table.Cell(row, column))
	}
	r.collector.AddAll(made, r.counter.ID(append(cells, r.table.Cell(row, "broker"))), row)
}

// line is one of the file.
type line struct {
	kind, asset, currency, identifier, name string
	date                                    market.Date
	time                                    time.Time
	price                                   decimal.NullDecimal
	shares, amount, tax, fee                decimal.Decimal
}

func (r *reader) line(row sheet.Row) (line, error) {
	cell := func(column string) string { return r.table.Cell(row, column) }
	l := line{
		kind: strings.ToLower(cell("type")), asset: strings.ToLower(cell("assettype")), currency: cell("currency"),
		identifier: cell("identifier"), name: sheet.Shorten(cell("holdingname")),
	}
	if !broker.ValidCurrency(l.currency) {
		return l, errors.New("the currency is missing; enter it by hand")
	}
	var err error
	if l.date, err = sheet.Day(cell("date"), layout, time.DateOnly); err != nil {
		return l, err
	}
	if l.time, err = sheet.Moment(cell("datetime"), time.UTC, time.RFC3339Nano); err != nil {
		return l, err
	}
	for _, field := range []struct {
		column string
		to     *decimal.Decimal
	}{{"price", &l.price.Decimal}, {"shares", &l.shares}, {"amount", &l.amount}, {"tax", &l.tax}, {"fee", &l.fee}} {
		if cell(field.column) == "" {
			continue
		}
		if *field.to, err = sheet.Number(cell(field.column), r.sign); err != nil {
			return l, fmt.Errorf("%s: %w", field.column, err)
		}
	}
	l.price.Valid = cell("price") != ""
	if cell("amount") == "" {
		return l, errors.New("the amount is missing; enter it by hand")
	}
	return l, nil
}
