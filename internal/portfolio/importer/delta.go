package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

const deltaName = "delta"

// Delta is Delta's table. It has no numbers of transactions: a line is known by all
// of its cells.
func Delta() Format {
	return Format{
		Name:       deltaName,
		Title:      "Delta investment tracker, transactions (CSV)",
		Recognizes: func(f File) bool { return HasTable(f, deltaColumns()...) },
		Read:       readDelta,
	}
}

func deltaColumns() []string {
	return []string{"Date", "Way", "Base amount", "Base currency (name)", "Base type", "Quote amount", "Quote currency"}
}

func readDelta(f File, o Options) (Statement, error) {
	t, err := ReadTable(f, deltaColumns()...)
	if err != nil {
		return Statement{}, err
	}
	if err := CheckDecimalSeparator(f, t, DecimalPoint, "Base amount", "Quote amount", "Fee amount"); err != nil {
		return Statement{}, err
	}
	c := NewCollector(deltaName, o)
	for _, row := range t.Rows {
		if row.Empty() {
			continue
		}
		tx, err := deltaTransaction(t, row, o.Zone)
		if err != nil {
			c.Skip(err, row)
			continue
		}
		c.Add(tx, "", row)
	}
	return c.Statement(t.Rows), nil
}

// deltaAsset is a code, with the name that may stand in brackets behind it.
type deltaAsset struct{ code, name string }

func parseDeltaAsset(text string) deltaAsset {
	code, name, _ := strings.Cut(text, "(")
	return deltaAsset{code: strings.ToUpper(strings.TrimSpace(code)), name: Shorten(strings.TrimSuffix(strings.TrimSpace(name), ")"))}
}

// deltaRow is one of the file.
type deltaRow struct {
	way, class, from   string // upper case
	note               string
	date               market.Date
	time               time.Time
	base, quote, fees  deltaAsset
	amount, price, fee decimal.Decimal // of base, quote and fees; zero where empty
}

func parseDeltaRow(t Table, row Row, zone *time.Location) (deltaRow, error) {
	cell := func(column string) string { return t.Cell(row, column) }
	l := deltaRow{
		way: strings.ToUpper(cell("Way")), class: strings.ToUpper(cell("Base type")), from: strings.ToUpper(cell("Sent/Received from")),
		note: Shorten(cell("Notes")), base: parseDeltaAsset(cell("Base currency (name)")), quote: parseDeltaAsset(cell("Quote currency")),
		fees: parseDeltaAsset(cell("Fee currency (name)")),
	}
	var err error
	if l.date, l.time, err = parseDeltaTime(cell("Date"), zone); err != nil {
		return l, err
	}
	for _, field := range []struct {
		column string
		to     *decimal.Decimal
	}{{"Base amount", &l.amount}, {"Quote amount", &l.price}, {"Fee amount", &l.fee}} {
		if cell(field.column) == "" {
			continue
		}
		if *field.to, err = ParseNumber(cell(field.column), DecimalPoint); err != nil {
			return l, fmt.Errorf("%s: %w", field.column, err)
		}
		if field.to.IsNegative() {
			return l, fmt.Errorf("%s is below zero; enter it by hand", field.column)
		}
	}
	return l, nil
}

// parseDeltaTime reads what Delta accepts, ISO 8601 and RFC 2822. The day is the one that is
// written, in the zone that is written with it; a time without one is in zone.
func parseDeltaTime(text string, zone *time.Location) (market.Date, time.Time, error) {
	if zone == nil {
		zone = time.UTC
	}
	zoned := []string{"2006-01-02 15:04:05Z07:00", time.RFC3339Nano, "2006-01-02 15:04Z07:00", time.RFC1123Z, "2 Jan 2006 15:04:05 -0700"}
	for _, layout := range append(zoned, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02") {
		at, err := time.ParseInLocation(layout, text, zone)
		if err != nil || at.Year() < 1900 || at.Year() > 2200 {
			continue
		}
		day := DayOf(at)
		if layout == time.DateOnly {
			return day, time.Time{}, nil
		}
		return day, at.UTC(), nil
	}
	return market.Date{}, time.Time{}, fmt.Errorf("%w: %q is not written as 2006-01-02 15:04:05-07:00", ErrDay, Shorten(text))
}

// newTransaction is what all transactions of the line have.
func (l deltaRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	return portfolio.Transaction{Date: l.date, Time: l.time, Kind: kind, Note: l.note}
}
