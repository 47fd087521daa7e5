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

func readNativeCSV(f File, o Options) (Statement, error) {
	table, err := ReadTable(f, nativeColumns()...)
	if err != nil {
		return Statement{}, err
	}
	s := Statement{Format: nativeName}
	var counter FingerprintCounter
	for _, row := range table.Preamble {
		s.Ignored = append(s.Ignored, SkippedLine{Line: row.Line, Text: row.Text(), Reason: "above the header"})
	}
	for _, row := range table.Rows {
		if row.Empty() {
			continue
		}
		t, err := parseNativeRow(nativeRow{table, row})
		if err == nil {
			err = finishNative(&t, o, &counter, row.Cells)
		}
		if err != nil {
			s.Problems = append(s.Problems, nativeSkippedLine(row, err))
			continue
		}
		s.Entries = append(s.Entries, Entry{Lines: []int{row.Line}, Transaction: t})
	}
	return s, nil
}

// nativeRow reads cells of one row.
type nativeRow struct {
	table Table
	row   Row
}

func (l nativeRow) text(column string) string { return l.table.Cell(l.row, column) }

// rawText returns a cell as the ledger has it, with the blanks around it.
func (l nativeRow) rawText(column string) string {
	i := l.table.Index(column)
	if i < 0 || i >= len(l.row.Cells) {
		return ""
	}
	return nativeUnescapeFormulas(l.row.Cells[i])
}

// nativeUnescapeFormulas takes the apostrophes away by which the export keeps a spreadsheet from
// computing a text: one at its beginning, and one after each semicolon, where
// spreadsheets of many countries begin a new cell.
func nativeUnescapeFormulas(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "'"), ";'", ";")
}

// parseNativeRow reads one line. No guess is made: a column that is not of nfa is not
// looked at.
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
		return fmt.Errorf("%s: %q is not a moment like 2024-01-31T09:30:00Z", column, Shorten(l.text(column)))
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
			return fmt.Errorf("%s: %q is not a lot and its quantity, as in 01J=5", column, Shorten(text))
		}
		quantity, err := ParseNumber(text[i+1:], DecimalPoint)
		if err != nil {
			return fmt.Errorf("%s: %w", column, err)
		}
		*into = append(*into, portfolio.LotPick{Lot: text[:i], Quantity: quantity})
	}
	return nil
}
