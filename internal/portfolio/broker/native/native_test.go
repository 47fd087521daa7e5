package native_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/native"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func maybe(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

func day(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

// ledger has every field at least once, and texts that are hard to carry.
func ledger() []portfolio.Transaction {
	at := time.Date(2024, 1, 5, 9, 30, 1, 123456789, time.FixedZone("", -5*60*60))
	return []portfolio.Transaction{
		{ID: "1", Date: day("2024-01-05"), Time: at, Kind: "buy", Account: "ibkr", Symbol: "VTI", ISIN: "US9229087690", Name: `Vanguard "Total", Market`,
			Quantity: dec("0.123456789012345678"), Price: maybe("200.10"), Currency: "USD", Amount: dec("24.70"), Fee: dec("1"), Tax: dec("0.01"),
			Note: "=1+1", Source: "ibkr", SourceID: "trade-1"},
		{ID: "2", Date: day("2024-02-05"), Kind: "sell", Account: "ibkr", Symbol: "VTI", Quantity: dec("3"), Currency: "USD", Amount: dec("30"),
			Lots: []portfolio.LotPick{{Lot: "1", Quantity: dec("1")}, {Lot: "x=1-2", Quantity: dec("2")}}},
		{ID: "3", Date: day("2024-02-06"), Kind: "sell", Account: "ibkr", Symbol: "^GSPC", Quantity: dec("1"), Price: maybe("0"), Currency: "USD", Short: true},
		{ID: "4", Date: day("2024-02-07"), Kind: "transfer_in", Account: "'roth", Symbol: "VTI", Quantity: dec("5"), CostUnknown: true, Acquired: day("2020-02-29")},
		{ID: "5", Date: day("2024-02-08"), Kind: "transfer_out", Account: "ibkr", Currency: "USD", Amount: dec("5"), ToAccount: "-roth"},
		{ID: "6", Date: day("2024-02-09"), Kind: "currency_exchange", Account: "ibkr", Currency: "USD", Amount: dec("5"), ToCurrency: "EUR", ToAmount: dec("4.5")},
		{ID: "7", Date: day("2024-02-10"), Kind: "merger", Account: "ibkr", Symbol: "OLD", ToSymbol: "NEW", New: dec("1"), Old: dec("3"), Currency: "USD", Amount: dec("1"), CostPart: maybe("0.25")},
		{ID: "8", Date: day("2024-02-11"), Kind: "deposit", Account: "ibkr", Currency: "EUR", Amount: dec("1000000000000"), Note: " with blanks "},
	}
}

// without is what reading gives back: what had no source has this one.
func without(all []portfolio.Transaction) []portfolio.Transaction {
	for i := range all {
		if all[i].Source == "" {
			all[i].Source, all[i].SourceID = "nfa", all[i].ID
		}
	}
	return all
}

func TestRoundTrip_NothingIsLost(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer) error{
		"csv":  func(b *bytes.Buffer) error { return native.WriteCSV(b, ledger()) },
		"json": func(b *bytes.Buffer) error { return native.WriteJSON(b, ledger()) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			s := read(t, b.String())
			if len(s.Problems)+len(s.Ignored) != 0 {
				t.Fatalf("problems %v, ignored %v; want none", s.Problems, s.Ignored)
			}
			var got []portfolio.Transaction
			for i, e := range s.Entries {
				if e.Lines[0] != i+2 {
					t.Errorf("entry %d is of line %v, want %d", i, e.Lines, i+2)
				}
				got = append(got, e.Transaction)
			}
			if d := cmp.Diff(without(ledger()), got, cmp.Comparer(decimal.Decimal.Equal), cmp.Comparer(time.Time.Equal)); d != "" {
				t.Errorf("after a round trip (-want +got):\n%s", d)
			}
		})
	}
}

// A field that a transaction is given one day must not be lost here.
func TestHeader_HasEveryFieldOfATransaction(t *testing.T) {
	fields := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[portfolio.Transaction]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = true
	}
	columns := map[string]bool{}
	for _, column := range native.Header() {
		columns[column] = true
	}
	if d := cmp.Diff(fields, columns); d != "" {
		t.Errorf("columns (-fields +columns):\n%s", d)
	}
}

func TestWriteCSV_NoTextIsAFormula(t *testing.T) {
	var b bytes.Buffer
	if err := native.WriteCSV(&b, ledger()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), ",=1+1") || !strings.Contains(b.String(), ",'=1+1") {
		t.Errorf("a note that begins with = is written bare:\n%s", b.String())
	}
}

func read(t testing.TB, text string) broker.Statement {
	t.Helper()
	f := sheet.File{Name: "export", Text: text}
	if !native.Format().Recognizes(f) {
		t.Fatalf("not recognised:\n%.300s", text)
	}
	s, err := native.Format().Read(f, broker.Options{Account: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCSV_LinesThatCannotBeAreProblems(t *testing.T) {
	header := strings.Join(native.Header(), ",")
	for _, c := range []struct{ name, line, reason string }{
		{"a day of another form", "05.01.2024,,deposit,a,,,,,,USD,5", "date"},
		{"a number that is none", "2024-01-05,,deposit,a,,,,,,USD,five", "amount"},
		{"a kind that there is not", "2024-01-05,,gift,a,,,,,,USD,5", "gift"},
		{"a flag that is none", "2024-01-05,,deposit,a,,,,,,USD,5,,,maybe", "cost_unknown"},
		{"a lot without its quantity", "2024-01-05,,sell,a,VTI,,,1,,USD,5,,,,,,,,,,,,,lot", "lots"},
		{"a time without a zone", "2024-01-05,09:30,deposit,a,,,,,,USD,5", "time"},
		{"a number with an absurd exponent", "2024-01-05,,deposit,a,,,,,,USD,1e99", "amount"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := read(t, header+"\n"+c.line+"\n")
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, c.reason) || s.Problems[0].Line != 2 {
				t.Errorf("entries %v, problems %v; want one of line 2 that says %q", s.Entries, s.Problems, c.reason)
			}
		})
	}
}

func TestCSV_AnAccountIsTakenFromTheOptionsWhereALineHasNone(t *testing.T) {
	s := read(t, strings.Join(native.Header(), ",")+"\n2024-01-05,,deposit,,,,,,,USD,5\n2024-01-05,,deposit,,,,,,,USD,5\n")
	if len(s.Entries) != 2 || s.Entries[0].Transaction.Account != "mine" {
		t.Fatalf("%+v, want two deposits in mine", s)
	}
	if a, b := s.Entries[0].Transaction.SourceID, s.Entries[1].Transaction.SourceID; a == "" || a == b {
		t.Errorf("numbers %q and %q, want two", a, b)
	}
}

func TestJSON_ALedgerIsReadToo(t *testing.T) {
	s := read(t, `{"accounts": [{"name": "a"}],
 "transactions": [
  {"id": "1", "date": "2024-01-05T00:00:00Z", "kind": "deposit", "account": "a", "currency": "USD", "amount": "5"},
  {"id": "2", "date": "2024-01-05T00:00:00Z", "kind": "deposit", "account": "a", "currency": "USD", "amount": "5", "amuont": "6"},
  {"id": "3", "date": "2024-01-05T00:00:00Z", "kind": "deposit", "account": "a", "currency": "USD"}
 ], "aliases": {}}`)
	if len(s.Entries) != 1 || s.Entries[0].Lines[0] != 3 {
		t.Errorf("entries %+v, want that of line 3", s.Entries)
	}
	if len(s.Problems) != 2 || s.Problems[0].Line != 4 || !strings.Contains(s.Problems[0].Reason, "amuont") || s.Problems[1].Line != 5 {
		t.Errorf("problems %+v, want a field that there is not in line 4 and no amount in line 5", s.Problems)
	}
	if len(s.Ignored) != 2 || s.Ignored[0].Line != 1 || s.Ignored[1].Line != 6 {
		t.Errorf("ignored %+v, want accounts of line 1 and aliases of line 6", s.Ignored)
	}
}

func TestFormat_OtherFilesAreNotTaken(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "another table": "date,kind,account\n2024-01-01,buy,a\n", "another JSON": `{"activities": [{"type": "BUY"}]}`,
	} {
		if native.Format().Recognizes(sheet.File{Text: text}) {
			t.Errorf("%s is recognised", name)
		}
	}
	for name, text := range map[string]string{
		"cut": `[{"date":`, "more behind": `[] []`, "no transactions": `{"accounts": []}`, "no list": `{"transactions": 5}`, "no table": "a,b\n",
	} {
		if _, err := native.Format().Read(sheet.File{Text: text}, broker.Options{}); !errors.Is(err, broker.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	var csv, json bytes.Buffer
	if err := errors.Join(native.WriteCSV(&csv, ledger()), native.WriteJSON(&json, ledger())); err != nil {
		f.Fatal(err)
	}
	f.Add(csv.String())
	f.Add(json.String())
	f.Add(`{"transactions":[{"amount":"1e999999999"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := native.Format().Read(sheet.File{Name: "fuzz", Text: text}, broker.Options{Account: "a"})
		if err != nil {
			return
		}
		var all []portfolio.Transaction
		for _, e := range s.Entries {
			all = append(all, e.Transaction)
		}
		var b bytes.Buffer
		if err := native.WriteCSV(&b, all); err != nil {
			t.Fatal(err)
		}
		again, err := native.Format().Read(sheet.File{Name: "again", Text: b.String()}, broker.Options{Account: "a"})
		if err != nil || len(again.Entries) != len(all) {
			t.Fatalf("%d transactions became %d, %v, %v", len(all), len(again.Entries), again.Problems, err)
		}
		for i, e := range again.Entries {
			if d := cmp.Diff(all[i], e.Transaction, cmp.Comparer(decimal.Decimal.Equal), cmp.Comparer(time.Time.Equal)); d != "" {
				t.Errorf("after a round trip (-want +got):\n%s", d)
			}
		}
	})
}
