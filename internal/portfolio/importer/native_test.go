package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// nativeHeader is the first line of the CSV, nativeJSONHead the beginning of the JSON.
const (
	nativeHeader = "date,time,kind,account,symbol,isin,name,quantity,price,currency,amount,fee,tax,cost_unknown,acquired," +
		"to_account,to_symbol,to_currency,to_amount,new,old,cost_part,short,lots,note,source,source_id,id"
	nativeJSONHead = `{"format":"nfa ledger","version":1,"accounts":[{"name":"a"}],` + "\n"
)

func nativeDec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func nativeNullDec(text string) decimal.NullDecimal { return decimal.NewNullDecimal(nativeDec(text)) }

func nativeDay(text string) market.Date {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func readNative(t testing.TB, text string) importer.Statement {
	t.Helper()
	f := importer.File{Name: "export", Text: text}
	if !importer.Native().Recognizes(f) {
		t.Fatalf("not recognised:\n%.300s", text)
	}
	s, err := importer.Native().Read(f, importer.Options{Account: "mine"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A purchase and a transfer, with difficult texts and an apostrophe before every formula, as the
// export writes them.
func TestCSV_IsWhatTheExportWrote(t *testing.T) {
	s := readNative(t, nativeHeader+"\n"+
		`2024-01-05,2024-01-05T09:30:01.123456789-05:00,buy,ibkr,VTI,US9229087690,"Vanguard ""Total"", Market",0.123456789012345678,200.10,USD,24.70,1,0.01,,,,,,,,,,,,'=1+1;'@SUM(1);'';x,ibkr,'-17,1`+"\n"+
		`2024-02-05,,transfer_out,''roth,VTI,,," 3",,,,,,,,'-roth,,,,,,,,'=b1=1 c;d=2, with blanks ,,,2`+"\n")
	want := []portfolio.Transaction{
		{ID: "1", Date: nativeDay("2024-01-05"), Time: time.Date(2024, 1, 5, 9, 30, 1, 123456789, time.FixedZone("", -5*60*60)), Kind: "buy", Account: "ibkr", Symbol: "VTI",
			ISIN: "US9229087690", Name: `Vanguard "Total", Market`, Quantity: nativeDec("0.123456789012345678"), Price: nativeNullDec("200.10"), Currency: "USD", Amount: nativeDec("24.70"),
			Fee: nativeDec("1"), Tax: nativeDec("0.01"), Note: "=1+1;@SUM(1);';x", Source: "ibkr", SourceID: "-17"},
		{ID: "2", Date: nativeDay("2024-02-05"), Kind: "transfer_out", Account: "'roth", ToAccount: "-roth", Symbol: "VTI", Quantity: nativeDec("3"),
			Lots: []portfolio.LotPick{{Lot: "=b1", Quantity: nativeDec("1")}, {Lot: "c;d", Quantity: nativeDec("2")}}, Note: " with blanks "},
	}
	var got []portfolio.Transaction
	for i, e := range s.Entries {
		if e.Lines[0] != i+2 {
			t.Errorf("entry %d is of line %v, want %d", i, e.Lines, i+2)
		}
		got = append(got, e.Transaction)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(decimal.Decimal.Equal), cmp.Comparer(time.Time.Equal)); d != "" || len(s.Problems) > 0 {
		t.Errorf("transactions (-want +got):\n%s problems %v", d, s.Problems)
	}
}

func TestCSV_ColumnsMayBeTakenOutAndMoved(t *testing.T) {
	s := readNative(t, "source_id,to_account,cost_unknown,amount,currency,kind,date,account\n,,,5,USD,fee_refund,2024-01-05,a\n")
	if len(s.Entries) != 1 || s.Entries[0].Transaction.Kind != portfolio.KindFeeRefund || !s.Entries[0].Transaction.Amount.Equal(nativeDec("5")) {
		t.Errorf("%+v, want 5 given back of fees", s)
	}
}

func TestCSV_LinesThatCannotBeAreProblems(t *testing.T) {
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
			s := readNative(t, nativeHeader+"\n"+c.line+"\n")
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, c.reason) || s.Problems[0].Line != 2 {
				t.Errorf("entries %v, problems %v; want one of line 2 that says %q", s.Entries, s.Problems, c.reason)
			}
		})
	}
}

func TestCSV_AnAccountIsTakenFromTheOptionsWhereALineHasNone(t *testing.T) {
	s := readNative(t, nativeHeader+"\n2024-01-05,,deposit,,,,,,,USD,5\n2024-01-05,,deposit,,,,,,,USD,5\n")
	if len(s.Entries) != 2 || s.Entries[0].Transaction.Account != "mine" {
		t.Fatalf("%+v, want two deposits in mine", s)
	}
	if a, b := s.Entries[0].Transaction.SourceID, s.Entries[1].Transaction.SourceID; a == "" || a == b {
		t.Errorf("numbers %q and %q, want two", a, b)
	}
}

func TestJSON_TransactionsOfALedgerAreRead(t *testing.T) {
	s := readNative(t, nativeJSONHead+` "transactions": [
  {"id": "1", "date": "2024-01-05T00:00:00Z", "kind": "deposit", "account": "a", "currency": "USD", "amount": "5"},
  {"id": "2", "date": "2024-01-05T00:00:00Z", "kind": "deposit", "account": "a", "currency": "USD", "amount": "5", "amuont": "6"},
  {"id": "3", "date": "2024-01-05T00:00:00Z", "kind": "deposit", "account": "a", "currency": "USD"}
 ], "moods": {}}`)
	if len(s.Entries) != 1 || s.Entries[0].Lines[0] != 3 {
		t.Errorf("entries %+v, want that of line 3", s.Entries)
	}
	if len(s.Problems) != 2 || s.Problems[0].Line != 4 || !strings.Contains(s.Problems[0].Reason, "amuont") || s.Problems[1].Line != 5 {
		t.Errorf("problems %+v, want a field that there is not in line 4 and no amount in line 5", s.Problems)
	}
	if len(s.Ignored) != 1 || s.Ignored[0].Line != 6 {
		t.Errorf("ignored %+v, want what nobody knows of line 6", s.Ignored)
	}
}

func TestNative_OtherFilesAreNotTaken(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "another table": "date,kind,account\n2024-01-01,buy,a\n", "another JSON": `{"activities": [{"type": "BUY"}]}`, "a list": `[{"kind": "buy"}]`,
	} {
		if importer.Native().Recognizes(importer.File{Text: text}) {
			t.Errorf("%s is recognised", name)
		}
	}
	const transactions = `"transactions":[]}`
	for _, c := range []struct{ name, text, says string }{
		{"cut", `{"format":`, "format"},
		{"cut within a transaction", nativeJSONHead + `"transactions":[{"date":`, "line 2"},
		{"more behind", nativeJSONHead + transactions + ` []`, "after the end"},
		{"no transactions", nativeJSONHead + `"aliases":{}}`, "transactions"},
		{"no list", nativeJSONHead + `"transactions":5}`, "not a list"},
		{"transactions twice", nativeJSONHead + `"transactions":[],` + transactions, "duplicate"},
		{"no format", `{"version":1,` + transactions, "format"},
		{"another format", `{"format":"mine","version":1,` + transactions, `"mine"`},
		{"no version", `{"format":"nfa ledger",` + transactions, "version"},
		{"a version of tomorrow", `{"format":"nfa ledger","version":2,` + transactions, "unsupported version 2"},
		{"a version in words", `{"format":"nfa ledger","version":"1",` + transactions, "version"},
		{"no table", "a,b\n", "date"},
	} {
		s, err := importer.Native().Read(importer.File{Name: "x", Text: c.text}, importer.Options{})
		if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), c.says) || len(s.Entries) > 0 {
			t.Errorf("%s: Read = %v, want ErrFormat that says %q", c.name, err, c.says)
		}
	}
	newer := importer.File{Text: `{"format":"nfa ledger","version":2,` + transactions}
	if !importer.Native().Recognizes(newer) {
		t.Error("a version of tomorrow is not recognised: nobody would tell the user what it is")
	}
}

func TestJSON_EndlessFieldsAreRefused(t *testing.T) {
	var fields strings.Builder
	for i := range 200 {
		fmt.Fprintf(&fields, `"f%d":0,`, i)
	}
	wide := importer.File{Name: "x", Text: nativeJSONHead + fields.String() + `"transactions":[]}`}
	if _, err := importer.Native().Read(wide, importer.Options{}); !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), "100 fields") {
		t.Errorf("Read of 200 fields = %v, want ErrFormat that names the bound", err)
	}
}

func FuzzNative(f *testing.F) {
	f.Add(nativeHeader + "\n2024-01-05,,sell,'=a,VTI,,,3,,USD,30,,,,,,,,,,,,true,1=1 x=1-2=2,';'=x,,,2\n")
	f.Add(nativeJSONHead + `"transactions":[{"date":"2024-01-05T00:00:00Z","kind":"tax_refund","account":"a","currency":"USD","amount":"5"}],"aliases":{}}`)
	f.Add(nativeJSONHead + `"transactions":[{"amount":"1e999999999"}]}`)
	f.Add(nativeJSONHead + `"transactions":[],"aliases":{"A":"B","B":"A","":"C"},"securities":[{"symbol":"A","class":"bond","fee":"0.1"},0],"targets":[{"symbol":"A","weight":"2"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := importer.Native().Read(importer.File{Name: "fuzz", Text: text}, importer.Options{Account: "a"})
		if err != nil {
			return
		}
		if l := s.Settings; l != nil {
			for _, a := range l.Accounts {
				if err := a.Validate(); err != nil {
					t.Error(err)
				}
			}
			for _, security := range l.Securities {
				if err := security.Validate(); err != nil {
					t.Error(err)
				}
			}
		}
		for _, e := range s.Entries {
			x := e.Transaction
			if x.ID == "" {
				x.ID = "new"
			}
			if err := x.Validate(); err != nil || x.Source == "" && e.Transaction.ID == "" || len(e.Lines) != 1 {
				t.Errorf("entry of lines %v with source %q: %v", e.Lines, x.Source, err)
			}
		}
	})
}
