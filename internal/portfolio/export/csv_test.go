package export_test

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
)

// unguard reverses EscapeFormulas, as readers of the CSV do.
func unguard(text string) string {
	var out strings.Builder
	begins := true
	for _, r := range text {
		if begins && r == '\'' {
			begins = false
			continue
		}
		out.WriteRune(r)
		begins = r == ';'
	}
	return out.String()
}

// cells is a line of the CSV by column.
type cells map[string]string

func (c cells) text(name string) string { return unguard(c[name]) }

func (c cells) day(t *testing.T, name string) (d time.Time) {
	t.Helper()
	if c[name] == "" {
		return d
	}
	layout := time.DateOnly
	if name == "time" {
		layout = time.RFC3339Nano
	}
	d, err := time.Parse(layout, c[name])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (c cells) number(name string) decimal.Decimal { return c.nullNumber(name).Decimal }

func (c cells) nullNumber(name string) decimal.NullDecimal {
	if c[name] == "" {
		return decimal.NullDecimal{}
	}
	return nullDec(c[name])
}

func (c cells) transaction(t *testing.T) portfolio.Transaction {
	out := portfolio.Transaction{
		Date: c.day(t, "date"), Time: c.day(t, "time"), Kind: portfolio.Kind(c.text("kind")), Account: c.text("account"),
		Symbol: market.Symbol(c.text("symbol")), ISIN: c.text("isin"), Name: c.text("name"), Quantity: c.number("quantity"), Price: c.nullNumber("price"),
		Currency: c.text("currency"), Amount: c.number("amount"), Fee: c.number("fee"), Tax: c.number("tax"), CostUnknown: c["cost_unknown"] == "true",
		Acquired: c.day(t, "acquired"), ToAccount: c.text("to_account"), ToSymbol: market.Symbol(c.text("to_symbol")), ToCurrency: c.text("to_currency"),
		ToAmount: c.number("to_amount"), New: c.number("new"), Old: c.number("old"), CostPart: c.nullNumber("cost_part"), Short: c["short"] == "true",
		Note: c.text("note"), Source: c.text("source"), SourceID: c.text("source_id"), ID: c.text("id"),
	}
	for pick := range strings.FieldsSeq(c.text("lots")) {
		last := strings.LastIndexByte(pick, '=')
		out.Lots = append(out.Lots, portfolio.LotPick{Lot: pick[:last], Quantity: dec(pick[last+1:])})
	}
	return out
}

func TestCSV_NothingOfATransactionIsLost(t *testing.T) {
	l := everyKind()
	rows, err := csv.NewReader(strings.NewReader(writeString(t, l, export.FormatCSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(export.Header(), rows[0]); diff != "" {
		t.Errorf("first line (-want +got):\n%s", diff)
	}
	var read []portfolio.Transaction
	for _, row := range rows[1:] {
		c := cells{}
		for i, name := range rows[0] {
			c[name] = row[i]
		}
		read = append(read, c.transaction(t))
	}
	if diff := cmp.Diff(l.Transactions, read, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("transactions read back (-want +got):\n%s", diff)
	}
}

// New fields of a transaction must be exported.
func TestHeader_HasEveryFieldOfATransaction(t *testing.T) {
	fields, columns := map[string]bool{}, map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[portfolio.Transaction]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = true
	}
	for _, column := range export.Header() {
		columns[column] = true
	}
	if diff := cmp.Diff(fields, columns); diff != "" {
		t.Errorf("columns (-fields +columns):\n%s", diff)
	}
}

func TestCSV_NoCellIsAFormula(t *testing.T) {
	l := everyKind()
	for _, evil := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "'=1", "x;=1", ";;@a", "＝1+1", "x;'-1"} {
		l.Transactions[0].Note, l.Transactions[2].Name = evil, evil
		rows, err := csv.NewReader(strings.NewReader(writeString(t, l, export.FormatCSV))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			for i, cell := range row {
				// Also if the semicolon separates cells.
				for _, piece := range strings.Split(cell, ";") {
					if strings.IndexAny(piece, "=+-@＝＋－＠") == 0 {
						t.Errorf("%s = %q of %q begins a formula", rows[0][i], cell, evil)
					}
				}
			}
		}
		if note := unguard(rows[1][len(rows[1])-4]); note != evil {
			t.Errorf("note = %q, want %q", note, evil)
		}
	}
}

func FuzzEscapeFormulas(f *testing.F) {
	for _, seed := range []string{"", "'", "=a", "''=;'", "a;=b;'+", "Men's", "\xff;=", "-5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		guarded := export.EscapeFormulas(text)
		if back := unguard(guarded); back != text {
			t.Fatalf("unguard(Guard(%q)) = %q", text, back)
		}
		for _, piece := range strings.Split(guarded, ";") {
			if strings.IndexAny(piece, "=+-@＝＋－＠") == 0 {
				t.Fatalf("Guard(%q) = %q still begins a formula", text, guarded)
			}
		}
	})
}
