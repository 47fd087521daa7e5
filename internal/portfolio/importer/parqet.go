package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

const parqetName = "parqet"

// Parqet is Parqet's export. It has no numbers of activities: a line is known by
// what happened, and not by the gains and names beside it, which change.
func Parqet() Format {
	return Format{
		Name:       parqetName,
		Title:      "Parqet, activities (CSV)",
		Recognizes: func(f File) bool { return HasTable(f, parqetColumns()...) },
		Read:       readParqet,
	}
}

func parqetColumns() []string {
	return []string{"datetime", "date", "price", "shares", "amount", "tax", "fee", "type", "assettype", "identifier", "currency"}
}

func readParqet(f File, o Options) (Statement, error) {
	t, err := ReadTable(f, parqetColumns()...)
	if err != nil {
		return Statement{}, err
	}
	if err := CheckDayOrder(f, t.Rows, func(row Row) string { return t.Cell(row, "date") }, parqetTimeLayout); err != nil {
		return Statement{}, err
	}
	r := parqetReader{collector: NewCollector(parqetName, o), table: t, sign: parqetDecimalSeparator(t)}
	for _, row := range t.Rows {
		if !row.Empty() {
			r.record(row)
		}
	}
	return r.collector.Statement(t.Rows), nil
}

// parqetTimeLayout is how days are written; files that were saved again may have the year first.
const parqetTimeLayout = "02.01.2006"

// parqetDecimalSeparator is the decimal sign: Parqet's is a comma, and files that were saved again
// by a spreadsheet may have a point.
func parqetDecimalSeparator(t Table) DecimalSeparator {
	var cells []string
	for _, row := range t.Rows {
		for _, column := range []string{"price", "shares", "amount", "tax", "fee"} {
			cells = append(cells, t.Cell(row, column))
		}
	}
	if sign, sure := GuessDecimalSeparator(cells); sure {
		return sign
	}
	return DecimalComma
}

// parqetReader is what is known of a file.
type parqetReader struct {
	collector *Collector
	table     Table
	sign      DecimalSeparator
	counter   FingerprintCounter
}

func (r *parqetReader) record(row Row) {
	l, err := r.parseRow(row)
	if err != nil {
		r.collector.Skip(err, row)
		return
	}
	txs, err := l.transactions()
	if err != nil {
		r.collector.Skip(err, row)
		return
	}
	var cells []string
	for _, column := range parqetColumns() {
		cells = append(cells, r.table.Cell(row, column))
	}
	r.collector.AddAll(txs, r.counter.ID(append(cells, r.table.Cell(row, "broker"))), row)
}

// parqetRow is one of the file.
type parqetRow struct {
	kind, asset, currency, identifier, name string
	date                                    market.Date
	time                                    time.Time
	price                                   decimal.NullDecimal
	shares, amount, tax, fee                decimal.Decimal
}

func (r *parqetReader) parseRow(row Row) (parqetRow, error) {
	cell := func(column string) string { return r.table.Cell(row, column) }
	l := parqetRow{
		kind: strings.ToLower(cell("type")), asset: strings.ToLower(cell("assettype")), currency: cell("currency"),
		identifier: cell("identifier"), name: Shorten(cell("holdingname")),
	}
	if !ValidCurrency(l.currency) {
		return l, errors.New("the currency is missing; enter it by hand")
	}
	var err error
	if l.date, err = ParseDay(cell("date"), parqetTimeLayout, time.DateOnly); err != nil {
		return l, err
	}
	if l.time, err = ParseTime(cell("datetime"), time.UTC, time.RFC3339Nano); err != nil {
		return l, err
	}
	for _, field := range []struct {
		column string
		to     *decimal.Decimal
	}{{"price", &l.price.Decimal}, {"shares", &l.shares}, {"amount", &l.amount}, {"tax", &l.tax}, {"fee", &l.fee}} {
		if cell(field.column) == "" {
			continue
		}
		if *field.to, err = ParseNumber(cell(field.column), r.sign); err != nil {
			return l, fmt.Errorf("%s: %w", field.column, err)
		}
	}
	l.price.Valid = cell("price") != ""
	if cell("amount") == "" {
		return l, errors.New("the amount is missing; enter it by hand")
	}
	return l, nil
}
