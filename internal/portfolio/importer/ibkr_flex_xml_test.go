package importer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// Expected results of testdata/flex.xml, computed by hand:
//
//	order 900 is its two executions, 60 at 10.50 and 40 at 10.60, and is itself ignored;
//	the commission of the second is in francs and recorded separately;
//	0.05 was refunded for the sale: 360 + 0.05;
//	the tax of April 1 was corrected: 15 - 15 + 7.50;
//	the splits are 4 for 1 in June and, with a new ISIN, 1 for 10 in July: 280 / 28.
func TestXML_EveryRecordBecomesWhatItSays(t *testing.T) {
	s := readIBKR(t, readIBKRTestdata(t, "flex.xml"), importer.Options{})
	want := []string{
		"2024-01-05 U1 buy ACM isin=US00000ACM14 quantity=60 amount=630 USD fee=0.6",
		"2024-01-05 U1 buy ACM isin=US00000ACM14 quantity=40 amount=424 USD tax=1.06",
		"2024-01-05 U1 fee ACM isin=US00000ACM14 amount=0.4 CHF",
		"2024-03-01 U1 sell ACM isin=US00000ACM14 quantity=30 amount=360.05 USD",
		"2024-03-02 U1 sell TGT isin=US00000TGT12 quantity=5 amount=100 USD fee=1 short",
		"2024-01-04 U1 currency_exchange amount=1700 CHF fee=1.8 to=2000 USD",
		"2024-01-06 U1 currency_exchange amount=100 USD to=86 CHF",
		"2024-01-16 U1 buy BND224 isin=US00000BND11 quantity=1000 amount=985 USD fee=1",
		"2024-01-03 U1 deposit amount=5000 CHF",
		"2024-04-01 U1 dividend ACM isin=US00000ACM14 amount=50 USD tax=7.5",
		"2024-05-02 U1 tax KID isin=US00000KID17 amount=0.9 USD",
		"2024-05-03 U1 interest_paid amount=0.42 CHF",
		"2024-05-03 U1 interest amount=1.25 USD",
		"2024-05-04 U1 fee amount=10 USD",
		"2024-05-04 U1 fee_refund amount=10 USD",
		"2024-05-05 U1 withdrawal amount=200 CHF",
		"2024-06-10 U1 split ACM isin=US00000ACM14 new=4 old=1",
		"2024-07-01 U1 reverse_split ACM isin=US00000ACM22 new=1 old=10",
		"2024-07-02 U1 spin_off PAR isin=US00000PAR14 quantity=2 to=KID",
		"2024-07-03 U1 merger OLD isin=US00000OLD18 amount=3.5 USD to=NEW new=10 old=160",
		"2024-07-04 U1 sell CSH isin=US00000CSH11 quantity=8 amount=80 USD",
		"2024-08-01 U1 sell BND224 isin=US00000BND11 quantity=1000 amount=1000 USD",
		"2024-09-01 U1 transfer_in BUY isin=US00000BUY17 quantity=12 cost-unknown",
		"2024-09-02 U1 transfer_out amount=25 USD to=U2",
	}
	if d := cmp.Diff(want, formatAllIBKR(s)); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
}

func TestXML_WhatIsNotReadHasItsReason(t *testing.T) {
	s := readIBKR(t, readIBKRTestdata(t, "flex.xml"), importer.Options{})
	problems := map[int]string{
		15: "options are not supported",
		18: "3 at 7 does not equal 210",
		49: "unsupported corporate action",
		56: "section SalesTaxes is not supported",
	}
	ignored := map[int]string{
		5:  "a report",
		9:  "order whose executions are already recorded",
		10: "lot or total of trades",
		16: "canceled by line 17",
		17: "cancels line 16",
		23: "total of payments",
		28: "reversed by line 29",
		29: "reverses line 28",
		36: "duplicate of line 35",
		46: "only the security's ISIN or CUSIP changed",
		47: "only the security's ISIN or CUSIP changed",
		55: "a report",
		60: "other side of a move from U1",
	}
	compareIBKRReasons(t, "problems", problems, s.Problems)
	compareIBKRReasons(t, "ignored", ignored, s.Ignored)
}

func compareIBKRReasons(t *testing.T, what string, want map[int]string, got []importer.SkippedLine) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d %s, want %d: %v", len(got), what, len(want), got)
	}
	for _, r := range got {
		if w, ok := want[r.Line]; !ok || !strings.Contains(r.Reason, w) {
			t.Errorf("%s: line %d: %q, want it to say %q", what, r.Line, r.Reason, w)
		}
	}
}

func TestXML_TheUsersAccountHoldsForAll(t *testing.T) {
	s := readIBKR(t, readIBKRTestdata(t, "flex.xml"), importer.Options{Account: "savings"})
	for _, e := range s.Entries {
		if e.Transaction.Account != "savings" || e.Transaction.ToAccount != "" {
			t.Errorf("line %v is of %q and goes to %q, want all in savings", e.Lines, e.Transaction.Account, e.Transaction.ToAccount)
		}
	}
	if got := ibkrReasons(s.Ignored)[53]; !strings.Contains(got, "imported as one") {
		t.Errorf("the move between two accounts that are one: %q, want it ignored", got)
	}
}

func TestXML_NumbersAreTheBrokers(t *testing.T) {
	text := readIBKRTestdata(t, "flex.xml")
	first, again := readIBKR(t, text, importer.Options{Account: "a"}), readIBKR(t, text, importer.Options{Account: "a"})
	seen := map[string]bool{}
	for i, e := range first.Entries {
		x := e.Transaction
		if x.Source != "ibkr" || x.SourceID == "" || x.ID != "" || seen[x.SourceID] {
			t.Errorf("line %v: source %q, number %q, ID %q: want the broker's own, once", e.Lines, x.Source, x.SourceID, x.ID)
		}
		seen[x.SourceID] = true
		if again.Entries[i].Transaction.SourceID != x.SourceID {
			t.Errorf("line %v: number %q, and %q the second time", e.Lines, x.SourceID, again.Entries[i].Transaction.SourceID)
		}
	}
	for _, id := range []string{"trade-101", "trade-102-fee", "cash-202", "action-3040", "transfer-401"} {
		if !seen[id] {
			t.Errorf("no entry has the number %s", id)
		}
	}
}

func TestXML_OrdersCountWhereThereAreNoExecutions(t *testing.T) {
	s := readIBKR(t, ibkrFlexXML(`<Trades><Trade accountId="U1" currency="USD" assetCategory="STK" symbol="ACM" tradeDate="2024-01-05" quantity="100" tradePrice="10.54"
 proceeds="-1054" ibCommission="-1" buySell="BUY" ibOrderID="900" levelOfDetail="ORDER" /></Trades>`), importer.Options{Account: "a"})
	want := []string{"2024-01-05 a buy ACM quantity=100 amount=1054 USD fee=1"}
	if d := cmp.Diff(want, formatAllIBKR(s)); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
}

func TestXML_OneLineForTheWholeFileLosesNothing(t *testing.T) {
	text := readIBKRTestdata(t, "flex.xml")
	joined := readIBKR(t, strings.ReplaceAll(text, "\n", " "), importer.Options{})
	apart := readIBKR(t, text, importer.Options{})
	// Entries are sorted by line, and this file has only one line.
	want, got := formatAllIBKR(apart), formatAllIBKR(joined)
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
	if len(joined.Problems) != len(apart.Problems) || len(joined.Ignored) != len(apart.Ignored) {
		t.Errorf("%d problems and %d ignored, want %d and %d", len(joined.Problems), len(joined.Ignored), len(apart.Problems), len(apart.Ignored))
	}
}

func TestXML_RecordsThatCannotBeAreProblems(t *testing.T) {
	const trade = `<Trades><Trade currency="USD" assetCategory="STK" symbol="ACM" tradeDate="20240105" quantity="10" tradePrice="5" proceeds="-50" buySell="BUY" /></Trades>`
	const cash = `<CashTransactions><CashTransaction currency="USD" dateTime="20240105" amount="50" type="Dividends" symbol="ACM" description="ACM CASH DIVIDEND" /></CashTransactions>`
	for _, c := range []struct{ name, text, from, to, reason string }{
		{"the day is written as month and day or the reverse", trade, "20240105", "01/05/2024", "has an ambiguous order of day and month"},
		{"there is no currency", trade, `currency="USD"`, "", "missing currency"},
		{"it says buy and has a negative quantity", trade, `quantity="10"`, `quantity="-10"`, "contradicts"},
		{"the price does not make the money", trade, `proceeds="-50"`, `proceeds="-60"`, "does not equal 60"},
		{"the ISIN has a wrong digit", trade, `symbol="ACM"`, `symbol="ACM" isin="US00000ACM15"`, "wrong check digit"},
		{"a contract is for many", trade, `symbol="ACM"`, `symbol="ACM" multiplier="10"`, "contract with a multiplier of 10"},
		{"the number is none", trade, `quantity="10"`, `quantity="ten"`, "not a number"},
		{"futures", trade, "STK", "FUT", "futures"},
		{"an asset nobody has heard of", trade, "STK", "XYZ", "unsupported asset class"},
		{"a dividend has no security", cash, `symbol="ACM" description="ACM CASH DIVIDEND"`, "", "dividend without a security"},
		{"a dividend is taken back", cash, `amount="50"`, `amount="-50"`, "reverses a dividend"},
		{"a payment has no amount", cash, `amount="50"`, "", "missing amount"},
		{"a payment is of a kind nobody has heard of", cash, "Dividends", "Gifts", "enter the transaction by hand"},
		{"a payment has no date", cash, `dateTime="20240105"`, "", "missing date"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if s := readIBKR(t, ibkrFlexXML(c.text), importer.Options{Account: "a"}); len(s.Entries) != 1 {
				t.Fatalf("before the change: %d entries, problems %v", len(s.Entries), s.Problems)
			}
			s := readIBKR(t, ibkrFlexXML(strings.Replace(c.text, c.from, c.to, 1)), importer.Options{Account: "a"})
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, c.reason) {
				t.Errorf("entries %v, problems %v; want one problem that says %q", formatAllIBKR(s), s.Problems, c.reason)
			}
		})
	}
}

func TestXML_HostileDocumentsAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a document type", `<!DOCTYPE x [<!ENTITY a "aaaa">]><FlexQueryResponse><FlexStatements/></FlexQueryResponse>`},
		{"an entity", ibkrFlexXML(`<Trades><Trade symbol="&a;"/></Trades>`)},
		{"too deep", "<FlexQueryResponse>" + strings.Repeat("<a>", 100)},
		{"too many attributes", ibkrFlexXML("<Trades><Trade " + manyIBKRAttributes(2000) + "/></Trades>")},
		{"more records than any account has", ibkrFlexXML("<Trades>" + strings.Repeat(`<L a="1"/>`, importer.MaxRows+1) + "</Trades>")},
		{"not closed", "<FlexQueryResponse><FlexStatements>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := importer.File{Name: "x.xml", Text: c.text}
			if s, err := importer.IBKR().Read(f, importer.Options{Account: "a"}); err == nil {
				t.Errorf("read as %+v, want an error", s)
			}
		})
	}
}

func manyIBKRAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("a" + strings.Repeat("b", i%50) + strings.Repeat("c", i/50) + `="1" `)
	}
	return b.String()
}

func ibkrFlexXML(sections string) string {
	return "<FlexQueryResponse><FlexStatements count=\"1\"><FlexStatement accountId=\"U1\">" + sections + "</FlexStatement></FlexStatements></FlexQueryResponse>"
}
