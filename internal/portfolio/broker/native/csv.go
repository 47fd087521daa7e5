package native

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// WriteCSV writes the transactions below Header. A text that a spreadsheet would
// take for a formula has an apostrophe before it, which reading takes off again.
func WriteCSV(w io.Writer, transactions []portfolio.Transaction) error {
	out := csv.NewWriter(w)
	if err := out.Write(Header()); err != nil {
		return fmt.Errorf("writing transactions: %w", err)
	}
	for i := range transactions {
		if err := out.Write(cells(&transactions[i])); err != nil {
			return fmt.Errorf("writing transactions: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing transactions: %w", err)
	}
	return nil
}

func cells(t *portfolio.Transaction) []string {
	return []string{
		day(t.Date), moment(t.Time), string(t.Kind), quiet(t.Account), quiet(string(t.Symbol)), t.ISIN, quiet(t.Name),
		number(t.Quantity), maybe(t.Price), t.Currency, number(t.Amount), number(t.Fee), number(t.Tax), flag(t.CostUnknown), day(t.Acquired),
		quiet(t.ToAccount), quiet(string(t.ToSymbol)), t.ToCurrency, number(t.ToAmount), number(t.New), number(t.Old), maybe(t.CostPart),
		flag(t.Short), picks(t.Lots), quiet(t.Note), quiet(t.Source), quiet(t.SourceID), quiet(t.ID),
	}
}

func day(d market.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.Format(time.DateOnly)
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func number(d decimal.Decimal) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

func maybe(d decimal.NullDecimal) string {
	if !d.Valid {
		return ""
	}
	return d.Decimal.String()
}

func flag(set bool) string {
	if set {
		return "true"
	}
	return ""
}

func picks(lots []portfolio.LotPick) string {
	all := make([]string, len(lots))
	for i, p := range lots {
		all[i] = p.Lot + "=" + p.Quantity.String()
	}
	return strings.Join(all, ";")
}

// quiet keeps a spreadsheet from computing a text; line.words undoes it.
func quiet(text string) string {
	if text != "" && strings.ContainsRune("=+-@'\t", rune(text[0])) {
		return "'" + text
	}
	return text
}

func readCSV(f sheet.File, o broker.Options) (broker.Statement, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return broker.Statement{}, fmt.Errorf("%w: %w", broker.ErrFormat, err)
	}
	table, found := sheet.Find(rows, "date", "kind", "account")
	if !found {
		return broker.Statement{}, fmt.Errorf("%s: %w: no line has the columns date, kind and account", f.Name, broker.ErrFormat)
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

// words is a text as it was written, with the blanks around it.
func (l line) words(column string) string {
	i := l.table.Place(column)
	if i < 0 || i >= len(l.row.Cells) {
		return ""
	}
	return strings.TrimPrefix(l.row.Cells[i], "'")
}

// transaction reads one line. The columns are those of Header and no guess is made:
// a column that is not of nfa is not looked at.
func transaction(l line) (portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Kind: portfolio.Kind(l.text("kind")), Account: l.words("account"), Symbol: market.Symbol(l.words("symbol")),
		ISIN: l.text("isin"), Name: l.words("name"), Currency: l.text("currency"),
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
	if l.text(column) == "" {
		return nil
	}
	for text := range strings.SplitSeq(l.text(column), ";") {
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
