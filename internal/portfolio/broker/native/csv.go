package native

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

func readCSV(f sheet.File, o broker.Options) (broker.Statement, error) {
	table, err := broker.Table(f, columns()...)
	if err != nil {
		return broker.Statement{}, err
	}
	s := broker.Statement{Format: name}
	var counter sheet.Counter
	for _, row := range table.Preamble {
		s.Ignored = append(s.Ignored, broker.Remark{Line: row.Line, Text: row.Text(), Reason: "above the header"})
	}
	for _, row := range table.Rows {
		if row.Empty() {
			continue
		}
		t, err := transaction(line{table, row})
		if err == nil {
			err = finish(&t, o, &counter, row.Cells)
		}
		if err != nil {
			s.Problems = append(s.Problems, remark(row, err))
			continue
		}
		s.Entries = append(s.Entries, broker.Entry{Lines: []int{row.Line}, Transaction: t})
	}
	return s, nil
}

// line reads cells of one row.
type line struct {
	table sheet.Table
	row   sheet.Row
}

func (l line) text(column string) string { return l.table.Cell(l.row, column) }

// words is a text as the book has it, with the blanks around it.
func (l line) words(column string) string {
	i := l.table.Place(column)
	if i < 0 || i >= len(l.row.Cells) {
		return ""
	}
	return loud(l.row.Cells[i])
}

// loud takes the apostrophes away by which the export keeps a spreadsheet from
// computing a text: one at its beginning, and one after each semicolon, where
// spreadsheets of many countries begin a new cell.
func loud(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "'"), ";'", ";")
}

// transaction reads one line. No guess is made: a column that is not of nfa is not
// looked at.
func transaction(l line) (portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Kind: portfolio.Kind(l.text("kind")), Account: l.words("account"), Symbol: market.Symbol(l.words("symbol")),
		ISIN: l.words("isin"), Name: l.words("name"), Currency: l.text("currency"),
		ToAccount: l.words("to_account"), ToSymbol: market.Symbol(l.words("to_symbol")), ToCurrency: l.text("to_currency"),
		Note: l.words("note"), Source: l.words("source"), SourceID: l.words("source_id"), ID: l.words("id"),
	}
	err := errors.Join(
		l.day("date", &t.Date), l.moment("time", &t.Time), l.day("acquired", &t.Acquired),
		l.number("quantity", &t.Quantity), l.number("amount", &t.Amount), l.number("fee", &t.Fee), l.number("tax", &t.Tax),
		l.number("to_amount", &t.ToAmount), l.number("new", &t.New), l.number("old", &t.Old),
		l.maybe("price", &t.Price), l.maybe("cost_part", &t.CostPart),
		l.flag("cost_unknown", &t.CostUnknown), l.flag("short", &t.Short), l.picks("lots", &t.Lots),
	)
	return t, err
}

func (l line) day(column string, into *market.Date) error {
	if l.text(column) == "" {
		return nil
	}
	d, err := sheet.Day(l.text(column), time.DateOnly)
	if err != nil {
		return fmt.Errorf("%s: %w", column, err)
	}
	*into = d
	return nil
}

func (l line) moment(column string, into *time.Time) error {
	if l.text(column) == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, l.text(column))
	if err != nil {
		return fmt.Errorf("%s: %q is not a moment like 2024-01-31T09:30:00Z", column, sheet.Shorten(l.text(column)))
	}
	*into = t
	return nil
}

func (l line) number(column string, into *decimal.Decimal) error {
	if l.text(column) == "" {
		return nil
	}
	d, err := sheet.Number(l.text(column), sheet.Point)
	if err != nil {
		return fmt.Errorf("%s: %w", column, err)
	}
	*into = d
	return nil
}

func (l line) maybe(column string, into *decimal.NullDecimal) error {
	into.Valid = l.text(column) != ""
	return l.number(column, &into.Decimal)
}

func (l line) flag(column string, into *bool) error {
	switch text := strings.ToLower(l.text(column)); text {
	case "", "false":
	case "true":
		*into = true
	default:
		return fmt.Errorf("%s: %q is neither true nor false", column, sheet.Shorten(text))
	}
	return nil
}

func (l line) picks(column string, into *[]portfolio.LotPick) error {
	for text := range strings.FieldsSeq(l.words(column)) {
		i := strings.LastIndexByte(text, '=')
		if i < 1 {
			return fmt.Errorf("%s: %q is not a lot and its quantity, as in 01J=5", column, sheet.Shorten(text))
		}
		quantity, err := sheet.Number(text[i+1:], sheet.Point)
		if err != nil {
			return fmt.Errorf("%s: %w", column, err)
		}
		*into = append(*into, portfolio.LotPick{Lot: text[:i], Quantity: quantity})
	}
	return nil
}
