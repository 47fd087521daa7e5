package etoro

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// layout is how moments are written.
const layout = "02/01/2006 15:04:05"

// line is a row as it is written; what is empty there is invalid here.
type line struct {
	row      sheet.Row
	word     string // the type as it is written
	action   string // and in lower case
	moment   time.Time
	details  string
	position string
	asset    string // in lower case
	amount   decimal.NullDecimal
	units    decimal.NullDecimal
	change   decimal.NullDecimal // of the realized equity
}

func (r *reader) lines(table sheet.Table, o broker.Options) []line {
	sign := usual(table)
	lines := make([]line, 0, len(table.Rows))
	for _, row := range table.Rows {
		l, err := parse(table, row, sign, o)
		if err != nil {
			r.out.Problem(row, "%v", err)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

// usual is the decimal sign of all numbers, and 0 where there are both.
func usual(table sheet.Table) sheet.Sign {
	var written []string
	for _, row := range table.Rows {
		for _, column := range []string{columnAmount, columnUnits, columnUnitsNow, columnChange} {
			written = append(written, table.Cell(row, column))
		}
	}
	sign, _ := sheet.GuessSign(written)
	return sign
}

func parse(table sheet.Table, row sheet.Row, sign sheet.Sign, o broker.Options) (line, error) {
	l := line{
		row: row, word: table.Cell(row, columnType), details: filled(table.Cell(row, columnDetails)),
		position: filled(table.Cell(row, columnPosition)), asset: strings.ToLower(filled(table.Cell(row, columnAsset))),
	}
	l.action = strings.ToLower(l.word)
	var err error
	if l.moment, err = sheet.Moment(table.Cell(row, columnDate), time.UTC, layout); err != nil {
		return line{}, err
	}
	if o.Zone != nil {
		l.moment = l.moment.In(o.Zone)
	}
	units := table.Cell(row, columnUnits)
	if units == "" {
		units = table.Cell(row, columnUnitsNow)
	}
	for _, cell := range []struct {
		name, text string
		to         *decimal.NullDecimal
	}{{"amount", table.Cell(row, columnAmount), &l.amount}, {"units", units, &l.units}, {"equity change", table.Cell(row, columnChange), &l.change}} {
		if *cell.to, err = number(cell.text, sign); err != nil {
			return line{}, fmt.Errorf("%s: %w", cell.name, err)
		}
	}
	return l, nil
}

// filled is what a cell says; a lone dash is an empty one.
func filled(text string) string {
	if text == "-" {
		return ""
	}
	return text
}

func number(text string, sign sheet.Sign) (decimal.NullDecimal, error) {
	if text = filled(text); text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := sheet.Either(text, sign)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// mark tells a line from others by what does not change from export to export.
func (l line) mark() []string {
	cells := []string{l.moment.UTC().Format(time.RFC3339), l.action, l.details, l.position}
	for _, d := range []decimal.NullDecimal{l.amount, l.units} {
		if d.Valid {
			cells = append(cells, d.Decimal.String())
		} else {
			cells = append(cells, "")
		}
	}
	return cells
}

// of begins a transaction with what all lines have.
func (l line) of(kind portfolio.Kind) portfolio.Transaction {
	day := sheet.DayOf(l.moment)
	return portfolio.Transaction{Date: day, Time: l.moment, Kind: kind}
}

// symbols are what positions are of, by their numbers: some lines name only those.
func symbols(lines []line) map[string]string {
	named := map[string]string{}
	for _, l := range lines {
		if l.position != "" && strings.Contains(l.details, "/") && named[l.position] == "" {
			named[l.position] = l.details
		}
	}
	return named
}
