package sqlstore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// transactionRow returns the values of transactionColumns, or an error if one of them could not be
// restored exactly. The slice has capacity for one more.
func transactionRow(t portfolio.Transaction) ([]any, error) {
	w := &rowWriter{}
	row := append(make([]any, 0, 28),
		w.required("id", t.ID), w.date("date", t.Date), w.timestamp("time", t.Time), w.kind(t.Kind), w.required("account", t.Account),
		w.text("symbol", string(t.Symbol)), w.text("isin", t.ISIN), w.text("name", t.Name),
		w.decimalUnlessZero("quantity", t.Quantity), w.decimalIfValid("price", t.Price),
		w.text("currency", t.Currency), w.decimalUnlessZero("amount", t.Amount), w.decimalUnlessZero("fee", t.Fee), w.decimalUnlessZero("tax", t.Tax),
		flag(t.CostUnknown), w.dateOrNone("acquired", t.Acquired),
		w.text("to_account", t.ToAccount), w.text("to_symbol", string(t.ToSymbol)), w.text("to_currency", t.ToCurrency),
		w.decimalUnlessZero("to_amount", t.ToAmount), w.decimalUnlessZero("new", t.New), w.decimalUnlessZero("old", t.Old), w.decimalIfValid("cost_part", t.CostPart),
		flag(t.Short), w.text("note", t.Note), w.text("source", t.Source), w.text("source_id", t.SourceID),
	)
	if w.err == nil && (t.Source == "") != (t.SourceID == "") {
		w.err = errors.New("set both source and source_id, or neither")
	}
	return row, w.err
}

// rowWriter makes values for columns. It returns nil, which is NULL, for missing values, and records
// the first error.
type rowWriter struct{ err error }

func (w *rowWriter) fail(column string, err error) any {
	if w.err == nil {
		w.err = fmt.Errorf("%s: %w", column, err)
	}
	return nil
}

// flag returns 1 or 0.
func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}

// maxTextBytes is longer than any line of a broker's file.
const maxTextBytes = 64 << 10

func (w *rowWriter) text(column, value string) any {
	switch {
	case value == "":
		return nil
	case len(value) > maxTextBytes:
		return w.fail(column, fmt.Errorf("longer than %d bytes", maxTextBytes))
	case !utf8.ValidString(value) || strings.ContainsAny(value, "\x00"+separator):
		return w.fail(column, errText)
	}
	return value
}

func (w *rowWriter) required(column, value string) any {
	if value == "" {
		return w.fail(column, errors.New("missing"))
	}
	return w.text(column, value)
}

func (w *rowWriter) kind(k portfolio.Kind) any {
	if !slices.Contains(portfolio.Kinds(), k) {
		return w.fail("kind", fmt.Errorf("%q is not one of %q", k, portfolio.Kinds()))
	}
	return string(k)
}

// decimal writes every digit, including trailing zeros.
func (w *rowWriter) decimal(column string, d decimal.Decimal) any {
	if e := d.Exponent(); e > maxExponent || e < -maxExponent || d.NumDigits() > maxDigits {
		return w.fail(column, errors.New("a number with too many digits"))
	}
	return d.StringFixed(max(0, -d.Exponent()))
}

func (w *rowWriter) decimalUnlessZero(column string, d decimal.Decimal) any {
	if d.IsZero() {
		return nil
	}
	return w.decimal(column, d)
}

func (w *rowWriter) decimalIfValid(column string, d decimal.NullDecimal) any {
	if !d.Valid {
		return nil
	}
	return w.decimal(column, d.Decimal)
}

func (w *rowWriter) dateOrNone(column string, d market.Date) any {
	if d.IsZero() {
		return nil
	}
	return w.date(column, d)
}

func (w *rowWriter) date(column string, d market.Date) any {
	u := d.UTC()
	switch {
	case u.Year() < 1 || u.Year() > 9999 || d.IsZero():
		return w.fail(column, errors.New("not a date in the years 1 to 9999"))
	case !u.Equal(u.Truncate(24 * time.Hour)):
		return w.fail(column, fmt.Errorf("%s is not a date: it is not midnight UTC", d.Format(time.RFC3339)))
	}
	return u.Format(time.DateOnly)
}

func (w *rowWriter) timestamp(column string, at time.Time) any {
	if at.IsZero() {
		return nil
	}
	// One year less at both ends, for time zones.
	if y := at.UTC().Year(); y < 2 || y > 9998 {
		return w.fail(column, errors.New("not a time in the years 2 to 9998"))
	}
	text := at.Format(time.RFC3339Nano)
	// Offsets of the nineteenth century have seconds, which the format lacks.
	if parsed, err := time.Parse(time.RFC3339Nano, text); err != nil || !parsed.Equal(at) {
		text = at.UTC().Format(time.RFC3339Nano)
	}
	return text
}

// formatTimestamp formats a time written by nfa.
func formatTimestamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
