package ledger_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// schwab is a file in the format of that broker: cash is deposited, shares are bought and some of them
// sold.
const schwab = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"02/01/2024","Sell","VTI","VANGUARD TOTAL STOCK MARKET","4","$240.00","$0.50","$959.50"
"01/15/2024","Qualified Dividend","VTI","VANGUARD TOTAL STOCK MARKET","","","","$7.25"
"01/03/2024","Buy","VTI","VANGUARD TOTAL STOCK MARKET","10","$230.00","","-$2300.00"
"01/02/2024","MoneyLink Transfer","","Tfr BANK","","","","$5000.00"
`

// table is of an unknown broker, and shows unambiguously how to read it.
const table = `Datum;Typ;ISIN;Bezeichnung;Anzahl;Kurs;Betrag;Währung;Gebühr;Ordernummer
13.01.2024;Einzahlung;;;;;20.000,00;EUR;;A0
15.01.2024;Kauf;US9229087690;TOTAL MARKET;10;1.020,50;-10.206,90;EUR;-1,90;A1
20.02.2024;Verkauf;US9229087690;TOTAL MARKET;-4;1.100,00;4.390,00;EUR;-10,00;A2
`

func TestImport_AFileIsReadOnceHoweverOftenItIsImported(t *testing.T) {
	w := newFixture(t)
	w.Files["s.csv"] = []byte(schwab)
	res := w.MustCall("import_transactions", args{"path": "s.csv"})
	toolstest.WantFields(t, toolstest.DecodeResult(t, res), map[string]any{
		"format": "schwab", "added": 4.0, "already_there": 0.0, "first": "2024-01-02", "last": "2024-02-01", "problems": 0.0,
	})
	if got := toolstest.Figure(t, res, "totals.0.amount"); got.Value.String() != "2300" || got.Source == "" {
		t.Errorf("figure of what was bought = %+v, want 2300", got)
	}
	if got := w.HeldQuantity("schwab", "VTI"); got != "6" {
		t.Errorf("schwab holds %s VTI, want 6", got)
	}
	longer := schwab + `"03/01/2024","Buy","VTI","VANGUARD TOTAL STOCK MARKET","1","$250.00","","-$250.00"` + "\n"
	w.Files["longer.csv"] = []byte(longer)
	again := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "s.csv"}))
	more := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "longer.csv"}))
	if again["added"] != 0.0 || again["already_there"] != 4.0 || more["added"] != 1.0 || more["already_there"] != 4.0 {
		t.Errorf("again added %v, the longer one %v; want 0 and 1", again["added"], more["added"])
	}
}

// A file must use one format of dates and numbers. A line with another format makes the others unreliable,
// so it is not enough to skip it.
func TestImport_AFileOfTwoMannersIsRefusedWhole(t *testing.T) {
	for name, line := range map[string]string{
		"a decimal comma": `"03/01/2024","Buy","VTI","X","1","$1,50","","-$1,50"`, "a day before its month": `"13/02/2024","Buy","VTI","X","1","$1.50","","-$1.50"`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			w.Files["s.csv"] = []byte(schwab + line + "\n")
			w.WantRefused("import_transactions", args{"path": "s.csv", "skip_problems": true}, "line 6", "export the file again")
		})
	}
}

// C37: one line that cannot be recorded is left out, and the user sees it before they agree.
func TestImport_AProblemLineIsLeftOutOfTheRest(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		parts      []string
	}{
		{"a word nobody knows", `"03/01/2024","Frobnicate","VTI","X","1","$1.00","","-$1.00"`, []string{"line 6", "Frobnicate"}},
		{"a number that is none", `"03/01/2024","Buy","VTI","X","one","$1.50","","-$1.50"`, []string{"line 6", "not a number"}},
		{"a day of the future", `"07/01/2024","Buy","VTI","X","1","$250.00","","-$250.00"`, []string{"line 6", "after today"}},
		{"half a line", `"03/01/2024","Buy","VTI"`, []string{"line 6"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newSQLiteFixture(t)
			w.Now = toolstest.Clock(t, "2024-06-28T20:00:00Z")
			w.Files["s.csv"] = []byte(schwab + tc.line + "\n")
			w.WantRefused("import_transactions", args{"path": "s.csv", "skip_problems": false}, append(tc.parts, "nothing was written", "skip_problems")...)
			res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "s.csv"}))
			if res["added"] != 4.0 || res["problems"] != 1.0 || !strings.Contains(w.Plan(), "leaves out 1 line ") {
				t.Errorf("added %v and left %v out; want 4 and 1\n%s", res["added"], res["problems"], w.Plan())
			}
		})
	}
}

func TestImport_AFileCutShortIsRefused(t *testing.T) {
	w := newFixture(t)
	for name, raw := range map[string][]byte{
		"within a quotation": []byte(schwab[:strings.Index(schwab, "BANK")]),
		"within a letter":    append([]byte{0xff, 0xfe}, 'a', 0, 'b'),
		"an archive":         []byte("PK\x03\x04\x00\x00\x00\x00"),
		"nothing":            {},
	} {
		w.Files[name] = raw
		w.WantRefused("import_transactions", args{"path": name}, "import")
	}
	w.WantRefused("import_transactions", args{"path": "missing.csv"}, "missing.csv")
	w.WantRefused("import_transactions", args{"path": " "}, "path is required")
}

func utf16of(text string) []byte {
	var b bytes.Buffer
	b.Write([]byte{0xff, 0xfe})
	_ = binary.Write(&b, binary.LittleEndian, utf16.Encode([]rune(text)))
	return b.Bytes()
}

func TestImport_WhateverTheEncodingTheEntriesAreTheSame(t *testing.T) {
	windows := strings.NewReplacer("ä", "\xe4", "ü", "\xfc").Replace(table)
	w := newFixture(t)
	w.Files["utf8"], w.Files["mark"], w.Files["utf16"], w.Files["windows"] = []byte(table), []byte("\ufeff"+table), utf16of(table), []byte(windows)
	in := args{"path": "utf8", "new_mapping": proposed(t, w, "utf8"), "account": "bank"}
	if res := toolstest.DecodeResult(t, w.MustCall("import_transactions", in)); res["added"] != 3.0 {
		t.Fatalf("added %v, want 3", res["added"])
	}
	for _, path := range []string{"mark", "utf16", "windows"} {
		res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": path, "mapping": "mybank", "account": "bank"}))
		if res["added"] != 0.0 || res["already_there"] != 3.0 {
			t.Errorf("%s (%v): %v added; want the same three", path, res["encoding"], res["added"])
		}
	}
}

// proposed returns the mapping that is guessed for a table, under a name.
func proposed(t *testing.T, w *fixture, path string) map[string]any {
	t.Helper()
	f, err := importer.Decode(path, w.Files[path])
	if err != nil {
		t.Fatal(err)
	}
	m, questions := importer.GuessMapping(f, importer.Corrections{})
	if m.Name = "mybank"; len(questions) > 0 {
		t.Fatalf("questions %q, want none", questions)
	}
	doc, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return toolstest.Object(t, string(doc))
}

// 10206.90 - 1.90 = 10205 = 10 x 1020.50.
func TestImport_AnUnknownTableIsReadByAMappingThatIsKept(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(table)
	m := proposed(t, w, "own.csv")
	w.WantRefused("import_transactions", args{"path": "own.csv", "mapping": "mybank"}, "no mapping", "none are saved")
	res := w.MustCall("import_transactions", args{"path": "own.csv", "new_mapping": m, "account": "bank"})
	if _, saved, _ := w.Mappings.Mapping(t.Context(), "mybank"); !strings.Contains(res.UserText(), `saved as "mybank"`) || !saved {
		t.Errorf("answer\n%s\nsaved %v; want it saved", res.UserText(), saved)
	}
	w.Files["next.csv"] = []byte(table + "21.02.2024;Kauf;US9229087690;TOTAL MARKET;1;100,00;-100,00;EUR;;A3\n")
	if res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "next.csv", "mapping": "mybank"})); res["added"] != 1.0 {
		t.Errorf("the next file by its saved mapping: %v added, want 1", res["added"])
	}
	w.WantRefused("import_transactions", args{"path": "own.csv", "mapping": "other"}, "mybank")
	m["name"] = "Schwab"
	w.WantRefused("import_transactions", args{"path": "own.csv", "new_mapping": m}, "name of a format")
	m["name"], m["date"] = "mybank", ""
	w.WantRefused("import_transactions", args{"path": "own.csv", "new_mapping": m}, "date:", "Einzahlung")
}

func TestImport_AProposalReadsTheAccountThatALineNames(t *testing.T) {
	for account, want := range map[string][2]string{"": {"ibkr", "own"}, "bank": {"bank", "bank"}} {
		w := newFixture(t)
		w.Files["own.csv"] = []byte("Date,Type,Symbol,Quantity,Price,Currency,Account\n2024-01-06,buy,VTI,10,290.10,USD,ibkr\n2024-02-06,buy,AAPL,5,220,USD,\n")
		w.MustCall("import_transactions", args{"path": "own.csv", "account": account})
		if vti, aapl := w.HeldQuantity(want[0], "VTI"), w.HeldQuantity(want[1], "AAPL"); vti != "10" || aapl != "5" {
			t.Errorf("%v hold %s VTI and %s AAPL, want 10 and 5", want, vti, aapl)
		}
	}
}

func TestImport_AnISINBecomesItsOnlyListingAndSeveralAreAskedAbout(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(strings.ReplaceAll(table, "TOTAL MARKET;-4", "TOTAL MARKET;-4") +
		"21.02.2024;Kauf;IE00B4L5Y983;MSCI WORLD;1;100,00;-100,00;EUR;;A3\n" + "21.02.2024;Kauf;CH0111762537;NOBODY KNOWS;1;100,00;-100,00;EUR;;A4\n")
	w.Searches = &markettest.FakeFeeds{Listed: []market.Instrument{
		{Symbol: "IWDA.AS", Name: "World IE00B4L5Y983", Listing: market.Listing{Exchange: "Amsterdam"}}, {Symbol: "EUNL.DE", Name: "World IE00B4L5Y983"},
	}}
	in := args{"path": "own.csv", "new_mapping": proposed(t, w, "own.csv"), "account": "bank"}
	res := w.MustCall("import_transactions", in)
	l := w.Ledger()
	if l.Aliases["US9229087690"] != "VTI" || len(l.Aliases) != 1 {
		t.Errorf("aliases = %v, want that of VTI alone", l.Aliases)
	}
	if !strings.Contains(res.UserText(), "IWDA.AS") || !strings.Contains(res.UserText(), "EUNL.DE") || !strings.Contains(w.Plan(), "has several listings") {
		t.Errorf("plan\n%s\nwant both listings of the other", w.Plan())
	}
	if got := w.HeldQuantity("bank", "VTI"); got != "6" {
		t.Errorf("bank holds %s VTI, want 6", got)
	}
	w.MustCall("import_transactions", args{"path": "own.csv", "mapping": "mybank", "symbols": args{"IE00B4L5Y983": "iwda.as"}})
	if got := w.HeldQuantity("bank", "IWDA.AS"); got != "1" {
		t.Errorf("bank holds %s IWDA.AS after the user said so, want 1", got)
	}
}

func TestImport_WhatWasEnteredByHandIsNotCountedTwice(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-02", "amount": 5000, "currency": "USD", "account": "schwab"})
	w.Files["s.csv"] = []byte(schwab)
	w.WantRefused("import_transactions", args{"path": "s.csv", "skip_problems": false}, "line 5", "already recorded as t1", "again true")
	res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "s.csv"}))
	if res["added"] != 3.0 {
		t.Errorf("added %v, want the other three", res["added"])
	}
	res = toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "s.csv", "again": true}))
	if res["added"] != 1.0 {
		t.Errorf("added %v where the user insists, want 1", res["added"])
	}
}

func TestImport_ABookThatWouldNotHoldSaysWhichLineAndWhatHelps(t *testing.T) {
	lines := strings.SplitAfter(schwab, "\n")
	w := newFixture(t)
	w.Files["no-purchase.csv"] = []byte(lines[0] + lines[1] + lines[4])
	w.Files["little-cash.csv"] = []byte(lines[0] + lines[3] + strings.Replace(lines[4], "5000", "50", 1))
	w.Files["trades.csv"] = []byte(lines[0] + lines[3])
	w.WantRefused("import_transactions", args{"path": "no-purchase.csv", "opening": false}, "4 VTI on 2024-02-01", "older files", "opening true")
	w.WantRefused("import_transactions", args{"path": "little-cash.csv", "cash": "tracked"}, "line 2", "not enough cash", "cash untracked", "margin")
	w.MustCall("import_transactions", args{"path": "trades.csv", "account": "trades"})
	if a, _ := w.Ledger().Account("trades"); a.Cash != portfolio.CashUntracked || !strings.Contains(w.Plan(), "no deposits") {
		t.Errorf("account = %+v, plan\n%s\nwant that its cash is not kept, and why", a, w.Plan())
	}
	res := w.MustCall("import_transactions", args{"path": "no-purchase.csv", "account": "old"})
	if !strings.Contains(w.Plan(), "an opening position of 4 VTI") || !strings.Contains(res.UserText(), "at unknown cost") || w.HeldQuantity("old", "VTI") != "0" {
		t.Errorf("plan\n%s\nwant what was held before, and nothing left of it", w.Plan())
	}
}

// C37: what an import recorded as held before is replaced by the older file that explains it.
func TestImport_AnOlderFileReplacesTheOpeningPosition(t *testing.T) {
	lines := strings.SplitAfter(schwab, "\n")
	w := newFixture(t)
	w.Files["newer.csv"] = []byte(lines[0] + lines[1])
	w.Files["older.csv"] = []byte(lines[0] + lines[3] + lines[4])
	w.MustCall("import_transactions", args{"path": "newer.csv"})
	if got := w.HeldQuantity("schwab", "VTI"); got != "0" || len(w.Ledger().Transactions) != 2 {
		t.Fatalf("schwab holds %s VTI in %d transactions; want the sale and 4 held before", got, len(w.Ledger().Transactions))
	}
	res := w.MustCall("import_transactions", args{"path": "older.csv"})
	if !strings.Contains(w.Plan(), "removes the opening position of 4 VTI") || w.HeldQuantity("schwab", "VTI") != "6" {
		t.Errorf("plan\n%s\nanswer\n%s\nwant the opening position removed and 10 - 4 VTI left", w.Plan(), res.UserText())
	}
}

// C37: shares that a merger removes without a purchase are recorded as held before, as many as later sales
// need; a return of capital on shares that are never sold is left out.
func TestImport_OpeningsCoverCorporateActions(t *testing.T) {
	merged := entry("1", "2024-02-01", portfolio.KindMerger, "us", "OLD", "0", "0")
	merged.ToSymbol, merged.New, merged.Old, merged.Currency = "FRESH", toolstest.MustDecimal("1"), toolstest.MustDecimal("2"), ""
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, merged,
		entry("2", "2024-03-01", portfolio.KindSell, "us", "FRESH", "5", "100"),
		entry("3", "2024-03-01", portfolio.KindReturnOfCapital, "us", "BACK", "0", "7"))
	res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "own.csv"}))
	if res["added"] != 2.0 || res["problems"] != 1.0 || !strings.Contains(w.Plan(), "an opening position of 10 OLD") || !strings.Contains(w.Plan(), "no earlier position in BACK") {
		t.Errorf("added %v, problems %v, plan\n%s\nwant 10 OLD from before and BACK left out", res["added"], res["problems"], w.Plan())
	}
}

// C37: the file of a new account that begins in the middle has purchases that its own deposits do
// not pay for.
func TestImport_CashOfANewAccountMayBeginInTheMiddle(t *testing.T) {
	lines := strings.SplitAfter(schwab, "\n")
	w := newFixture(t)
	w.Files["s.csv"] = []byte(lines[0] + lines[3] + strings.Replace(lines[4], "5000", "50", 1))
	w.MustCall("import_transactions", args{"path": "s.csv"})
	if a, _ := w.Ledger().Account("schwab"); a.Cash != portfolio.CashMargin || !strings.Contains(w.Plan(), "cash negative on 2024-01-03") {
		t.Errorf("account %+v, plan\n%s\nwant that its cash may be below zero, and why", a, w.Plan())
	}
}

// A split of two for one within the file: as many shares are recorded as held before as were needed on the
// day of the sale, not twice as many.
func TestImport_WhatWasHeldBeforeIsCountedOnTheDayItIsNeeded(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2023-01-02", "symbol": "VTI", "quantity": 1, "price": 200, "account": "schwab"})
	w.MustCall("add_transaction", args{"kind": "split", "date": "2024-01-20", "symbol": "VTI", "new": 2, "old": 1})
	lines := strings.SplitAfter(schwab, "\n")
	w.Files["s.csv"] = []byte(lines[0] + lines[1])
	w.MustCall("import_transactions", args{"path": "s.csv"})
	if got := w.HeldQuantity("schwab", "VTI"); got != "0" {
		t.Errorf("schwab holds %s VTI, want 0: 2 after the split and 2 from before were sold", got)
	}
}

func TestImport_TwoAtOnceAreOneImport(t *testing.T) {
	w := newSQLiteFixture(t)
	w.Files["s.csv"] = []byte(schwab)
	r := w.Router()
	var done sync.WaitGroup
	added := make([]float64, 2)
	for i := range added {
		done.Go(func() {
			res := toolstest.CallRouter(t, r, "import_transactions", args{"path": "s.csv"})
			if res.IsError {
				t.Errorf("import = %s", res.ErrorText())
				return
			}
			added[i] = toolstest.DecodeResult(t, res)["added"].(float64)
		})
	}
	done.Wait()
	slices.Sort(added)
	if l := w.Ledger(); len(l.Transactions) != 4 || !slices.Equal(added, []float64{0, 4}) {
		t.Errorf("two at once added %v, and the ledger has %d; want 0 and 4", added, len(l.Transactions))
	}
}

// Between the question and the answer the user recorded the same transaction by hand.
func TestImport_WhatChangedSinceItWasShownIsLookedAtAnew(t *testing.T) {
	w := newFixture(t)
	w.Files["s.csv"] = []byte(schwab)
	w.BeforeAnswer = func([]tool.Approval) {
		w.BeforeAnswer = nil
		w.MustCall("add_transaction", args{"kind": "deposit", "date": "2024-01-02", "amount": 5000, "currency": "USD", "account": "schwab"})
	}
	res := w.MustCall("import_transactions", args{"path": "s.csv"})
	if !strings.Contains(res.UserText(), "already recorded") || len(w.Ledger().Transactions) != 4 {
		t.Errorf("import = %s; want the deposit once and the three others", toolstest.ResultText(res))
	}
}

func TestImport_NfasOwnExportIsReadBackAndAlreadyThere(t *testing.T) {
	w := newFixture(t)
	w.MustCall("add_transaction", args{"kind": "buy", "date": "2024-01-02", "symbol": "VTI", "quantity": 10, "price": 200})
	w.MustCall("add_transaction", args{"kind": "sell", "date": "2024-03-01", "symbol": "VTI", "quantity": 4, "amount": 900, "lots": []args{{"lot": "t1", "quantity": 4}}})
	for _, format := range []string{"csv", "json"} {
		var b bytes.Buffer
		if err := export.Write(&b, w.Ledger(), export.Format(format)); err != nil {
			t.Fatal(err)
		}
		w.Files["own-ledger."+format] = b.Bytes()
		res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "own-ledger." + format}))
		if res["added"] != 0.0 || res["already_there"] != 2.0 {
			t.Errorf("%s read back: %v added, %v there; want 0 and 2", format, res["added"], res["already_there"])
		}
		other := newFixture(t)
		other.Files["own-ledger"] = b.Bytes()
		other.MustCall("import_transactions", args{"path": "own-ledger"})
		if got := other.HeldQuantity("default", "VTI"); got != "6" || other.Ledger().Transactions[0].ID != "t1" {
			t.Errorf("another ledger of the %s holds %s VTI, want 6 and the same IDs", format, got)
		}
	}
}

func TestImport_TooLargeAndManyLines(t *testing.T) {
	w := newFixture(t)
	w.Files["huge.csv"] = make([]byte, 64<<20+1)
	w.WantRefused("import_transactions", args{"path": "huge.csv"}, "file too large", "64 MiB")
	if testing.Short() {
		t.Skip("ten megabytes take a moment")
	}
	// Ten megabytes in no known format, in one long column.
	w.Files["noise.csv"] = bytes.Repeat([]byte("a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q;r;s;t;u;v;w\n"), 10<<20/46)
	w.WantRefused("import_transactions", args{"path": "noise.csv"}, "none of")
}

// manyLines returns a Schwab file with n purchases below a deposit.
func manyLines(n int) []byte {
	var b bytes.Buffer
	b.WriteString(strings.SplitAfter(schwab, "\n")[0])
	fmt.Fprintf(&b, "\"01/02/2020\",\"MoneyLink Transfer\",\"\",\"Tfr BANK\",\"\",\"\",\"\",\"$%d.00\"\n", 1000*n)
	first := portfoliotest.Day("2020-01-03")
	for i := range n {
		kind, sign := "Buy", "-"
		if i%3 == 2 {
			kind, sign = "Sell", ""
		}
		fmt.Fprintf(&b, "%q,%q,\"S%d\",\"COMPANY\",\"%d\",\"$10.%02d\",\"\",\"%s$%d.%02d\"\n", first.AddDate(0, 0, i*1500/n).Format("01/02/2006"), kind, i/3%50, 1, i%100, sign, 10, i%100)
	}
	return b.Bytes()
}

func BenchmarkImport_100000Lines(b *testing.B) {
	raw := manyLines(100_000)
	for name, open := range map[string]func(testing.TB) *fixture{"in memory": newFixture, "in a file": newSQLiteFixture} {
		b.Run(name, func(b *testing.B) { benchmarkImport(b, open, raw) })
	}
}

func benchmarkImport(b *testing.B, open func(testing.TB) *fixture, raw []byte) {
	for b.Loop() {
		w := open(b)
		w.Files["s.csv"] = raw
		if res := toolstest.DecodeResult(b, w.MustCall("import_transactions", args{"path": "s.csv"})); res["added"].(float64) < 99_000 {
			b.Fatalf("added %v", res["added"])
		}
	}
}

func TestImport_DetailsNameEveryFormat(t *testing.T) {
	var parts string
	for _, tl := range newFixture(t).Tools() {
		if tl.Name == "import_transactions" {
			parts = strings.ToLower(tl.Details)
		}
	}
	for _, f := range ledger.Formats() {
		name, _, _ := strings.Cut(strings.ToLower(f.Title), ",")
		name, _, _ = strings.Cut(name, " (")
		if !strings.Contains(parts, name) {
			t.Errorf("%s (%s) is not in the details of import_transactions", f.Title, name)
		}
	}
}

func FuzzImport_NoFileBreaksABook(f *testing.F) {
	for _, seed := range []string{schwab, table, "", "\xff\xfeA", "[]", "{\"format\":\"nfa ledger\"}", "Date,Amount\n2024-01-01,1e400000\n", "OFXHEADER:100\n<OFX>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		w := newFixture(t)
		w.Files["f"] = raw
		res := w.Call("import_transactions", args{"path": "f", "skip_problems": true, "opening": true})
		if res.Code == tool.CodeCrashed {
			t.Fatalf("import of %q crashed", raw)
		}
		if err := lots.Check(w.Ledger()); err != nil {
			t.Errorf("import of %q leaves an invalid ledger: %v", raw, err)
		}
	})
}
