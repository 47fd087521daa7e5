// Package delta reads transactions of the Delta investment tracker (CSV), as its
// template explains them.
//
// Quote amounts are whole prices, and base amounts are without fees. What was paid
// in one coin for another has no value in money in the file, and is reported: the
// book needs that value. A coin is booked as its pair with the dollar, BTC-USD.
package delta

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "delta"

// Format is Delta's table. It has no numbers of transactions: a line is known by all
// of its cells.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Delta investment tracker, transactions (CSV)",
		Recognizes: func(f sheet.File) bool { return broker.Heads(f, columns()...) },
		Read:       read,
	}
}

func columns() []string {
	return []string{"Date", "Way", "Base amount", "Base currency (name)", "Base type", "Quote amount", "Quote currency"}
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	t, err := broker.Table(f, columns()...)
	if err != nil {
		return broker.Statement{}, err
	}
	if err := broker.InSign(f, t, sheet.Point, "Base amount", "Quote amount", "Fee amount"); err != nil {
		return broker.Statement{}, err
	}
	c := broker.NewCollector(name, o)
	for _, row := range t.Rows {
		if row.Empty() {
			continue
		}
		made, err := transaction(t, row, o.Zone)
		if err != nil {
			c.Leave(err, row)
			continue
		}
		c.Add(made, "", row)
	}
	return c.Statement(t.Rows), nil
}

// asset is a code, with the name that may stand in brackets behind it.
type asset struct{ code, name string }

func assetOf(text string) asset {
	code, name, _ := strings.Cut(text, "(")
	return asset{code: strings.ToUpper(strings.TrimSpace(code)), name: sheet.Shorten(strings.TrimSuffix(strings.TrimSpace(name), ")"))}
}

// line is one of the file.
type line struct {
	way, class, from   string // upper case
	note               string
	date               market.Date
	time               time.Time
	base, quote, fees  asset
	amount, price, fee decimal.Decimal // of base, quote and fees; zero where empty
}

func lineOf(t sheet.Table, row sheet.Row, zone *time.Location) (line, error) {
	cell := func(column string) string { return t.Cell(row, column) }
	l := line{
		way: strings.ToUpper(cell("Way")), class: strings.ToUpper(cell("Base type")), from: strings.ToUpper(cell("Sent/Received from")),
		note: sheet.Shorten(cell("Notes")), base: assetOf(cell("Base currency (name)")), quote: assetOf(cell("Quote currency")),
		fees: assetOf(cell("Fee currency (name)")),
	}
	var err error
	if l.date, l.time, err = moment(cell("Date"), zone); err != nil {
		return l, err
	}
	for _, field := range []struct {
		column string
		to     *decimal.Decimal
	}{{"Base amount", &l.amount}, {"Quote amount", &l.price}, {"Fee amount", &l.fee}} {
		if cell(field.column) == "" {
			continue
		}
		if *field.to, err = sheet.Number(cell(field.column), sheet.Point); err != nil {
			return l, fmt.Errorf("%s: %w", field.column, err)
		}
		if field.to.IsNegative() {
			return l, fmt.Errorf("%s is below zero; enter it by hand", field.column)
		}
	}
	return l, nil
}

// moment reads what Delta accepts, ISO 8601 and RFC 2822. The day is the one that is
// written, in the zone that is written with it; a time without one is in zone.
func moment(text string, zone *time.Location) (market.Date, time.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	zoned := []string{"2006-01-02 15:04:05Z07:00", time.RFC3339Nano, "2006-01-02 15:04Z07:00", time.RFC1123Z, "2 Jan 2006 15:04:05 -0700"}
	for _, layout := range append(zoned, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02") {
		at, err := time.ParseInLocation(layout, text, zone)
		if err != nil || at.Year() < 1900 || at.Year() > 2200 {
			continue
		}
		day := sheet.DayOf(at)
		if layout == time.DateOnly {
			return day, time.Time{}, nil
		}
		return day, at.UTC(), nil
	}
	return market.Date{}, time.Time{}, fmt.Errorf("%w: %q is not written as 2006-01-02 15:04:05-07:00", sheet.ErrDay, sheet.Shorten(text))
}

// begin is what all transactions of the line have.
func (l line) begin(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Note: l.note}
}
