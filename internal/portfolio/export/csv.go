package export

import (
	"bufio"
	"encoding/csv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Header returns the first line of the CSV: the JSON names of a Transaction's fields. Dates are
// 2006-01-02 and times RFC 3339 with their zone. Numbers have a decimal point and no thousands
// separators. Unset fields are empty, and a set flag is "true". Lots are written as "LOT=QUANTITY"
// separated by spaces, which lot names do not contain.
//
// Text cells are escaped, see EscapeFormulas.
func Header() []string {
	return []string{
		"date", "time", "kind", "account", "symbol", "isin", "name", "quantity", "price", "currency", "amount", "fee", "tax",
		"cost_unknown", "acquired", "to_account", "to_symbol", "to_currency", "to_amount", "new", "old", "cost_part", "short",
		"lots", "note", "source", "source_id", "id",
	}
}

func writeCSV(out *bufio.Writer, l portfolio.Ledger) error {
	ts, err := validTransactions(l)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	if err := w.Write(Header()); err != nil {
		return err
	}
	for _, t := range ts {
		if err := w.Write(csvRow(t)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// csvRow returns the cells of a transaction, in the order of Header.
func csvRow(t portfolio.Transaction) []string {
	return []string{
		formatDay(t.Date), formatTime(t.Time), EscapeFormulas(string(t.Kind)), EscapeFormulas(t.Account), EscapeFormulas(string(t.Symbol)), EscapeFormulas(t.ISIN), EscapeFormulas(t.Name),
		formatNonZero(t.Quantity), formatNull(t.Price), EscapeFormulas(t.Currency), formatNonZero(t.Amount), formatNonZero(t.Fee), formatNonZero(t.Tax),
		formatBool(t.CostUnknown), formatDay(t.Acquired), EscapeFormulas(t.ToAccount), EscapeFormulas(string(t.ToSymbol)), EscapeFormulas(t.ToCurrency), formatNonZero(t.ToAmount),
		formatNonZero(t.New), formatNonZero(t.Old), formatNull(t.CostPart), formatBool(t.Short),
		EscapeFormulas(formatLots(t.Lots)), EscapeFormulas(t.Note), EscapeFormulas(t.Source), EscapeFormulas(t.SourceID), EscapeFormulas(t.ID),
	}
}

// EscapeFormulas keeps a spreadsheet from reading text as a formula. It puts an apostrophe before =
// + - @, their full-width forms, and the apostrophe itself, at the beginning of the text and after
// each semicolon, because many locales start a new cell there. To restore the text, a reader
// removes one apostrophe, if present, at the same places.
func EscapeFormulas(text string) string {
	if !strings.ContainsAny(text, "=+-@'＝＋－＠") {
		return text
	}
	var out strings.Builder
	begins := true
	for _, r := range text {
		if begins && strings.ContainsRune("=+-@'＝＋－＠", r) {
			out.WriteByte('\'')
		}
		out.WriteRune(r)
		begins = r == ';'
	}
	return out.String()
}

func formatDay(d time.Time) string {
	if d.IsZero() {
		return ""
	}
	return d.Format(time.DateOnly)
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func formatNonZero(n decimal.Decimal) string {
	if n.IsZero() {
		return ""
	}
	return n.String()
}

// formatNull also writes zero, because a price of zero is not an unknown price.
func formatNull(n decimal.NullDecimal) string {
	if !n.Valid {
		return ""
	}
	return n.Decimal.String()
}

func formatBool(set bool) string {
	if set {
		return "true"
	}
	return ""
}

func formatLots(picks []portfolio.LotPick) string {
	texts := make([]string, len(picks))
	for i, p := range picks {
		texts[i] = p.Lot + "=" + p.Quantity.String()
	}
	return strings.Join(texts, " ")
}
