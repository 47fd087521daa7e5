package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func (r *nativeReader) readCSV(f File) error {
	table, err := ReadTable(f, nativeColumns()...)
	if err != nil {
		return err
	}
	for _, row := range table.Preamble {
		r.ignore(row, "above the header")
	}
	for _, row := range table.Rows {
		if !row.Empty() {
			t, err := parseNativeRow(nativeRow{table, row})
			r.add(row, t, err)
		}
	}
	return nil
}

// nativeRow reads the cells of one row.
type nativeRow struct {
	table Table
	row   Row
}

func (l nativeRow) text(column string) string { return l.table.Cell(l.row, column) }

// rawText returns a cell including spaces, without the apostrophes of export.EscapeFormulas: one at
// the beginning, and one after each semicolon.
func (l nativeRow) rawText(column string) string {
	i := l.table.Index(column)
	if i < 0 || i >= len(l.row.Cells) {
		return ""
	}
	return strings.ReplaceAll(strings.TrimPrefix(l.row.Cells[i], "'"), ";'", ";")
}

// parseNativeRow reads one line. Unknown columns are ignored.
func parseNativeRow(l nativeRow) (portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Kind: portfolio.Kind(l.text("kind")), Account: l.rawText("account"), Symbol: market.Symbol(l.rawText("symbol")),
		ISIN: l.rawText("isin"), Name: l.rawText("name"), Currency: l.text("currency"),
		ToAccount: l.rawText("to_account"), ToSymbol: market.Symbol(l.rawText("to_symbol")), ToCurrency: l.text("to_currency"),
		Note: l.rawText("note"), Source: l.rawText("source"), SourceID: l.rawText("source_id"), ID: l.rawText("id"),
	}
	err := errors.Join(
		l.day("date", &t.Date), l.timestamp("time", &t.Time), l.day("acquired", &t.Acquired),
		l.number("quantity", &t.Quantity), l.number("amount", &t.Amount), l.number("fee", &t.Fee), l.number("tax", &t.Tax),
		l.number("to_amount", &t.ToAmount), l.number("new", &t.New), l.number("old", &t.Old),
		l.nullNumber("price", &t.Price), l.nullNumber("cost_part", &t.CostPart),
		l.flag("cost_unknown", &t.CostUnknown), l.flag("short", &t.Short), l.picks("lots", &t.Lots),
	)
	return t, err
}

func (l nativeRow) day(column string, into *market.Date) error {
	if l.text(column) == "" {
		return nil
	}
	d, err := ParseDay(l.text(column), time.DateOnly)
	if err != nil {
		return fmt.Errorf("%s: %w", column, err)
	}
	*into = d
	return nil
}

func (l nativeRow) timestamp(column string, into *time.Time) error {
	if l.text(column) == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, l.text(column))
	if err != nil {
		return fmt.Errorf("%s: %q is not a time such as 2024-01-31T09:30:00Z", column, Shorten(l.text(column)))
	}
	*into = t
	return nil
}

func (l nativeRow) number(column string, into *decimal.Decimal) error {
	if l.text(column) == "" {
		return nil
	}
	d, err := ParseNumber(l.text(column), DecimalPoint)
	if err != nil {
		return fmt.Errorf("%s: %w", column, err)
	}
	*into = d
	return nil
}

func (l nativeRow) nullNumber(column string, into *decimal.NullDecimal) error {
	into.Valid = l.text(column) != ""
	return l.number(column, &into.Decimal)
}

func (l nativeRow) flag(column string, into *bool) error {
	switch text := strings.ToLower(l.text(column)); text {
	case "", "false":
	case "true":
		*into = true
	default:
		return fmt.Errorf("%s: %q is neither true nor false", column, Shorten(text))
	}
	return nil
}

func (l nativeRow) picks(column string, into *[]portfolio.LotPick) error {
	for text := range strings.FieldsSeq(l.rawText(column)) {
		i := strings.LastIndexByte(text, '=')
		if i < 1 {
			return fmt.Errorf("%s: %q is not a lot with a quantity, such as 01J=5", column, Shorten(text))
		}
		quantity, err := ParseNumber(text[i+1:], DecimalPoint)
		if err != nil {
			return fmt.Errorf("%s: %w", column, err)
		}
		*into = append(*into, portfolio.LotPick{Lot: text[:i], Quantity: quantity})
	}
	return nil
}
