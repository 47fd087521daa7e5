package importer

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// etoroTimeLayout is how moments are written.
const etoroTimeLayout = "02/01/2006 15:04:05"

// etoroRow is a row as it is written; what is empty there is invalid here.
type etoroRow struct {
	row       Row
	rawAction string // the type as it is written
	action    string // and in lower case
	moment    time.Time
	details   string
	position  string
	asset     string // in lower case
	amount    decimal.NullDecimal
	units     decimal.NullDecimal
	change    decimal.NullDecimal // of the realized equity
}

func (r *etoroReader) parseRows(table Table, o Options) []etoroRow {
	sign := etoroDecimalSeparator(table)
	lines := make([]etoroRow, 0, len(table.Rows))
	for _, row := range table.Rows {
		l, err := parseEToroRow(table, row, sign, o)
		if err != nil {
			r.collector.Problem(row, "%v", err)
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

// etoroDecimalSeparator is the decimal sign of all numbers, and 0 where there are both.
func etoroDecimalSeparator(table Table) DecimalSeparator {
	var written []string
	for _, row := range table.Rows {
		for _, column := range []string{etoroColumnAmount, etoroColumnUnits, etoroColumnUnitsNow, etoroColumnChange} {
			written = append(written, table.Cell(row, column))
		}
	}
	sign, _ := GuessDecimalSeparator(written)
	return sign
}

func parseEToroRow(table Table, row Row, sign DecimalSeparator, o Options) (etoroRow, error) {
	l := etoroRow{
		row: row, rawAction: table.Cell(row, etoroColumnType), details: etoroCell(table.Cell(row, etoroColumnDetails)),
		position: etoroCell(table.Cell(row, etoroColumnPosition)), asset: strings.ToLower(etoroCell(table.Cell(row, etoroColumnAsset))),
	}
	l.action = strings.ToLower(l.rawAction)
	var err error
	if l.moment, err = ParseTime(table.Cell(row, etoroColumnDate), time.UTC, etoroTimeLayout); err != nil {
		return etoroRow{}, err
	}
	if o.Zone != nil {
		l.moment = l.moment.In(o.Zone)
	}
	units := table.Cell(row, etoroColumnUnits)
	if units == "" {
		units = table.Cell(row, etoroColumnUnitsNow)
	}
	for _, cell := range []struct {
		name, text string
		to         *decimal.NullDecimal
	}{{"amount", table.Cell(row, etoroColumnAmount), &l.amount}, {"units", units, &l.units}, {"equity change", table.Cell(row, etoroColumnChange), &l.change}} {
		if *cell.to, err = parseEToroNumber(cell.text, sign); err != nil {
			return etoroRow{}, fmt.Errorf("%s: %w", cell.name, err)
		}
	}
	return l, nil
}

// etoroCell is what a cell says; a lone dash is an empty one.
func etoroCell(text string) string {
	if text == "-" {
		return ""
	}
	return text
}

func parseEToroNumber(text string, sign DecimalSeparator) (decimal.NullDecimal, error) {
	if text = etoroCell(text); text == "" {
		return decimal.NullDecimal{}, nil
	}
	d, err := ParseEitherNumber(text, sign)
	return decimal.NullDecimal{Decimal: d, Valid: err == nil}, err
}

// identity tells a line from others by what does not change from export to export.
func (l etoroRow) identity() []string {
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

// newTransaction begins a transaction with what all lines have.
func (l etoroRow) newTransaction(kind portfolio.Kind) portfolio.Transaction {
	day := DayOf(l.moment)
	return portfolio.Transaction{Date: day, Time: l.moment, Kind: kind}
}

// etoroSymbols are what positions are of, by their numbers: some lines name only those.
func etoroSymbols(lines []etoroRow) map[string]string {
	named := map[string]string{}
	for _, l := range lines {
		if l.position != "" && strings.Contains(l.details, "/") && named[l.position] == "" {
			named[l.position] = l.details
		}
	}
	return named
}
