package ledger_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// entry returns a transaction in dollars; 0 means no value.
func entry(id, day string, kind portfolio.Kind, account string, sym market.Symbol, quantity, amount string) portfolio.Transaction {
	t := portfolio.Transaction{
		ID: id, Date: portfoliotest.Day(day), Kind: kind, Account: account, Symbol: sym, Quantity: toolstest.MustDecimal(quantity), Amount: toolstest.MustDecimal(amount),
	}
	if !t.Amount.IsZero() {
		t.Currency = "USD"
	}
	return t
}

// ownFile returns an nfa export of some entries. Line 2 is the first of them by date and ID.
func ownFile(t testing.TB, entries ...portfolio.Transaction) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := export.Write(&b, portfolio.Ledger{Transactions: entries}, "csv"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// untracked returns an account whose cash is not tracked.
func untracked(name string) portfolio.Account {
	a := portfolio.NewAccount(name)
	a.Cash = portfolio.CashUntracked
	return a
}

// Lots are identified by transaction IDs, so an nfa export keeps its IDs. An ID that the ledger
// uses for another transaction is not a duplicate.
func TestPlan_IDsOfItsOwnFileAreKeptAndNotMixedUp(t *testing.T) {
	w := newFixture(t)
	bought := entry("mine", "2024-01-03", portfolio.KindBuy, "us", "VTI", "10", "1000")
	w.Files["own.csv"] = ownFile(t, bought)
	w.MustCall("import_transactions", args{"path": "own.csv"})
	if got := w.Ledger().Transactions[0].ID; got != "mine" {
		t.Errorf("ID %q, want that of the file", got)
	}
	bought.Quantity, bought.Source, bought.SourceID = toolstest.MustDecimal("11"), "elsewhere", "1"
	w.Files["other.csv"] = ownFile(t, bought)
	w.WantRefused("import_transactions", args{"path": "other.csv"}, "line 2", "ID mine belongs to another")
}

// The user recorded VTI, the file has its ISIN, and only this import finds that they are the same.
func TestPlan_WhatIsTheSameByANewAliasWouldCountTwice(t *testing.T) {
	w := newFixture(t)
	w.Record(portfolio.Change{Accounts: []portfolio.Account{untracked("us")}, Add: []portfolio.Transaction{entry("hand", "2024-01-03", portfolio.KindBuy, "us", "VTI", "10", "1000")}})
	w.Files["own.csv"] = ownFile(t, entry("file", "2024-01-03", portfolio.KindBuy, "us", "US9229087690", "10", "1000"))
	w.WantRefused("import_transactions", args{"path": "own.csv"}, "already recorded as hand")
}

// An import without new transactions cannot break a ledger, but an alias can.
func TestPlan_NothingNewIsNotChecked(t *testing.T) {
	w := newFixture(t)
	bought := entry("1", "2024-01-03", portfolio.KindBuy, "us", "VTI", "1", "100")
	w.Files["own.csv"] = ownFile(t, bought)
	w.MustCall("import_transactions", args{"path": "own.csv"})
	w.Record(portfolio.Change{
		Add:     []portfolio.Transaction{entry("bad", "2024-01-04", portfolio.KindSell, "us", "SAP", "1", "100")},
		Aliases: map[market.Symbol]market.Symbol{"VTI": "VTSAX"},
	})
	requests := len(w.Approvals)
	res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "own.csv", "symbols": args{"VTI": "VTSAX"}}))
	if res["already_there"] != 1.0 {
		t.Errorf("answer = %v, want that nothing is new, in an invalid ledger", res)
	}
	w.WantRefused("import_transactions", args{"path": "own.csv", "symbols": args{"VTSAX": "VTI"}}, "nothing was written")
	if len(w.Approvals) != requests {
		t.Error("the user was asked although nothing would change")
	}
}

// "bank" received a deposit and passed part of it on to "broker"; "depot" received only shares, no
// cash.
func TestPlan_AccountsAreMadeWithCashWhereMoneyCameIn(t *testing.T) {
	moved := func(id, to string, sym market.Symbol, quantity, amount string) portfolio.Transaction {
		m := entry(id, "2024-01-05", portfolio.KindTransferOut, "bank", sym, quantity, amount)
		m.ToAccount = to
		return m
	}
	file := ownFile(t,
		entry("1", "2024-01-02", portfolio.KindDeposit, "bank", "", "0", "500"),
		entry("2", "2024-01-03", portfolio.KindBuy, "bank", "VTI", "2", "200"),
		moved("3", "broker", "", "0", "50"), moved("4", "depot", "VTI", "1", "0"),
	)
	want := map[string]portfolio.CashPolicy{"bank": portfolio.CashTracked, "broker": portfolio.CashTracked, "depot": portfolio.CashUntracked}
	w := newFixture(t)
	w.Files["own.csv"] = file
	w.MustCall("import_transactions", args{"path": "own.csv"})
	for _, a := range w.Ledger().Accounts {
		if a.Cash != want[a.Name] {
			t.Errorf("account %s: cash %s, want %s", a.Name, a.Cash, want[a.Name])
		}
		delete(want, a.Name)
	}
	if len(want) > 0 {
		t.Errorf("not made: %v", want)
	}
	// A cash setting given by the user applies to all of them and needs no reason.
	w = newFixture(t)
	w.Files["own.csv"] = file
	w.MustCall("import_transactions", args{"path": "own.csv", "cash": "untracked"})
	for _, a := range w.Ledger().Accounts {
		if a.Cash != portfolio.CashUntracked || strings.Contains(w.Plan(), "no deposits") {
			t.Errorf("account %s: cash %s; plan\n%s\nwant it untracked as the user said", a.Name, a.Cash, w.Plan())
		}
	}
}

func TestPlan_AFileGoesWhereEarlierOnesOfItsBrokerWent(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, entry("1", "2024-01-03", portfolio.KindBuy, "elsewhere", "SAP", "1", "100"), entry("2", "2024-01-03", portfolio.KindBuy, "else", "SAP", "1", "100"))
	w.MustCall("import_transactions", args{"path": "own.csv"})
	// An nfa export names the accounts of its lines, even if there are several.
	w.Files["longer.csv"] = append(w.Files["own.csv"], ownFile(t, entry("3", "2024-01-04", portfolio.KindBuy, "else", "SAP", "2", "200"))[len(ownFile(t)):]...)
	if res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "longer.csv"})); res["added"] != 1.0 || res["already_there"] != 2.0 {
		t.Errorf("its own longer file = %v, want one added", res)
	}
	w.Files["s.csv"] = []byte(schwab)
	w.MustCall("import_transactions", args{"path": "s.csv"})
	if got := w.HeldQuantity("schwab", "VTI"); got != "6" {
		t.Errorf("schwab holds %s VTI, want 6: files of others say nothing of where those of schwab go", got)
	}
}

// 100 was deposited; two purchases cost 150. The second one follows another account's line in the
// file.
func TestPlan_AnOverdraftNamesTheLinesOfItsAccountAndDay(t *testing.T) {
	sent := entry("5", "2024-01-04", portfolio.KindTransferOut, "other", "", "0", "20")
	sent.ToAccount = "poor"
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t,
		entry("1", "2024-01-02", portfolio.KindDeposit, "poor", "", "0", "100"),
		entry("2", "2024-01-02", portfolio.KindDeposit, "other", "", "0", "100"),
		entry("3", "2024-01-04", portfolio.KindBuy, "poor", "VTI", "1", "90"),
		entry("4", "2024-01-04", portfolio.KindBuy, "other", "VTI", "1", "60"),
		sent,
		entry("6", "2024-01-04", portfolio.KindBuy, "poor", "SAP", "1", "60"),
	)
	w.WantRefused("import_transactions", args{"path": "own.csv", "cash": "tracked"}, "line 4, 6, 7:", "-30 USD", "call again with cash untracked")
	w.Record(portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("poor"), portfolio.NewAccount("other")}})
	w.WantRefused("import_transactions", args{"path": "own.csv"}, `for the account "poor" with portfolio_settings`)
	w.Record(portfolio.Change{Add: []portfolio.Transaction{
		entry("in", "2024-01-01", portfolio.KindDeposit, "other", "", "0", "5"), entry("out", "2024-02-01", portfolio.KindWithdrawal, "other", "", "0", "5"),
	}})
	w.Files["own.csv"] = ownFile(t, entry("7", "2024-01-15", portfolio.KindFee, "other", "", "0", "1"))
	w.WantRefused("import_transactions", args{"path": "own.csv"}, "make cash negative on an earlier day", "2024-02-01")
}

func TestPlan_ManyLinesOfADayAreCounted(t *testing.T) {
	var all []portfolio.Transaction
	for i := range 12 {
		all = append(all, entry(fmt.Sprintf("%02d", i), "2024-01-04", portfolio.KindWithdrawal, "poor", "", "0", "1"))
	}
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, append(all, entry("in", "2024-01-02", portfolio.KindDeposit, "poor", "", "0", "1"))...)
	w.WantRefused("import_transactions", args{"path": "own.csv", "cash": "tracked"}, "line 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more:")
}

// Opening positions cannot help a sale that names its lot.
func TestPlan_ALotThatIsMissingNamesTheLine(t *testing.T) {
	sold := entry("2", "2024-02-01", portfolio.KindSell, "us", "VTI", "4", "480")
	sold.Lots = []portfolio.LotPick{{Lot: "gone", Quantity: toolstest.MustDecimal("4")}}
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, entry("1", "2024-01-03", portfolio.KindBuy, "us", "VTI", "4", "200"), sold)
	w.WantRefused("import_transactions", args{"path": "own.csv", "opening": true}, "nothing was written; line 3:", "gone")

	// Here the lot is in the ledger, and an earlier line of the file sells it first.
	sold.Lots[0].Lot = "1"
	w.Record(portfolio.Change{Accounts: []portfolio.Account{untracked("us")}, Add: []portfolio.Transaction{
		entry("1", "2024-01-03", portfolio.KindBuy, "us", "VTI", "4", "200"), sold,
	}})
	w.Files["early.csv"] = ownFile(t, entry("3", "2024-01-10", portfolio.KindSell, "us", "VTI", "1", "60"))
	w.WantRefused("import_transactions", args{"path": "early.csv"}, "these lines make an earlier transaction invalid", "2024-02-01")
}

// The problems come from parsing, from the clock and from the ledger; the user reads them in the order of
// the file.
func TestPlan_ProblemsAreListedInTheOrderOfTheFile(t *testing.T) {
	lines := strings.SplitAfter(schwab, "\n")
	w := newFixture(t)
	w.Record(portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("schwab")}, Add: []portfolio.Transaction{entry("hand", "2024-01-02", portfolio.KindDeposit, "schwab", "", "0", "5000")}})
	w.Files["s.csv"] = []byte(lines[0] + strings.Replace(lines[3], "01/03", "07/03", 1) + strings.Replace(lines[2], "Qualified", "Unheard", 1) + lines[4] + strings.Replace(lines[3], "Buy", "Frob", 1))
	res := w.Call("import_transactions", args{"path": "s.csv"})
	at := -1
	for _, want := range []string{"line 2: invalid transaction: 2024-07-03", "line 3:", "line 4: already recorded as hand", "line 5:"} {
		next := strings.Index(res.ErrorText(), want)
		if !res.IsError || next <= at {
			t.Fatalf("refusal = %s\nwant %q, after those before it", res.ErrorText(), want)
		}
		at = next
	}
}

// Opening positions do not pay for purchases.
func TestOpening_DoesNotHideThatCashRunsOut(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t,
		entry("1", "2024-01-02", portfolio.KindDeposit, "us", "", "0", "10"),
		entry("2", "2024-01-03", portfolio.KindSell, "us", "SAP", "1", "20"),
		entry("3", "2024-01-04", portfolio.KindBuy, "us", "VTI", "1", "100"),
	)
	w.WantRefused("import_transactions", args{"path": "own.csv", "cash": "tracked"}, "not enough cash", "line 4")
}

// 3 and 2 SAP and 1 VTI were never bought; each is added when it is first needed.
func TestOpening_EachIsRecordedUnderAnIDOfItsOwn(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t,
		entry("1", "2024-01-03", portfolio.KindBuy, "us", "SAP", "1", "20"),
		entry("2", "2024-01-04", portfolio.KindSell, "us", "SAP", "4", "80"),
		entry("3", "2024-01-05", portfolio.KindSell, "us", "SAP", "2", "40"),
		entry("4", "2024-01-05", portfolio.KindSell, "us", "VTI", "1", "40"),
		entry("5", "2024-01-06", portfolio.KindBuy, "other", "VTI", "1", "40"),
	)
	w.WantRefused("import_transactions", args{"path": "own.csv", "opening": false}, `3 SAP on 2024-01-04 in "us"`, `2 SAP on 2024-01-05 in "us"`, `1 VTI on 2024-01-05 in "us"`)
	res := w.MustCall("import_transactions", args{"path": "own.csv"})
	var got []string
	for _, x := range w.Ledger().Transactions {
		if x.Kind == portfolio.KindTransferIn {
			got = append(got, fmt.Sprintf("%s %s %s %s %v", x.ID, x.Date.Format("01-02"), x.Quantity, x.Symbol, x.CostUnknown))
			if f := toolstest.Figure(t, res, fmt.Sprintf("openings.%d.quantity", len(got)-1)); !f.Value.Equal(x.Quantity) {
				t.Errorf("figure of %s = %s, want %s", x.ID, f.Value, x.Quantity)
			}
		}
	}
	if want := "t11 01-04 3 SAP true, t12 01-05 2 SAP true, t13 01-05 1 VTI true"; strings.Join(got, ", ") != want {
		t.Errorf("brought in %v, want %s", got, want)
	}
}

func TestOpening_ALongListIsBounded(t *testing.T) {
	var all []portfolio.Transaction
	for i := range 30 {
		all = append(all, entry(fmt.Sprint(i), "2024-01-03", portfolio.KindSell, "us", market.Symbol(fmt.Sprintf("S%d", i)), "1", "10"))
	}
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, all...)
	w.WantRefused("import_transactions", args{"path": "own.csv", "opening": false}, "and 5 more\n")
}

func TestReport_SumsByKindAndCountsReasons(t *testing.T) {
	lines := strings.SplitAfter(schwab, "\n")
	more := strings.NewReplacer("01/03", "01/04", "$2300.00", "$100.25", `"10"`, `"1"`, "$230.00", "$100.25").Replace(lines[3])
	w := newFixture(t)
	w.Files["s.csv"] = []byte(schwab + more + `"Transactions Total","","","","","","",""` + "\n" + `"Transactions Total","","","","","","",""` + "\n")
	res := w.MustCall("import_transactions", args{"path": "s.csv"})
	if got := toolstest.Figure(t, res, "totals.0.amount"); got.Value.String() != "2400.25" {
		t.Errorf("bought for %s, want 2300 + 100.25", got.Value)
	}
	want := `**s.csv**

| measure | value |
| --- | ---: |
| transactions added | 5 |
| lines ignored | 2 |
| format | schwab |
| encoding | UTF-8 |
| first day | 2024-01-02 |
| last day | 2024-02-01 |

**Transactions added**

| kind | transactions | amount (USD) | fee (USD) |
| --- | ---: | ---: | ---: |
| buy | 2 | 2,400.25 |  |
| deposit | 1 | 5,000.00 |  |
| dividend | 1 | 7.25 |  |
| sell | 1 | 960.00 | 0.50 |

**Lines with nothing to record**

| reason | lines | line numbers |
| --- | ---: | --- |
| total of the lines above | 2 | 7, 8 |

- creates the account "schwab": cost basis fifo, cash tracked: the balance must not go below zero; change it with nfa portfolio account

portfolio ledger · 2024-06-28
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("the user sees (-want +got):\n%s", diff)
	}
	if want := "Added 5 transactions from s.csv, 2024-01-02 to 2024-02-01; 0 were already in the ledger."; res.Headline != want {
		t.Errorf("headline %q, want %q", res.Headline, want)
	}
	ignored := toolstest.DecodeResult(t, res)["ignored_reasons"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, ignored, map[string]any{"count": 2.0, "lines": "7, 8", "reason": "total of the lines above"})
}

func TestImport_WithTheClockSetBackNothingIsRead(t *testing.T) {
	w := newFixture(t)
	w.Files["s.csv"], w.Replay = []byte(schwab), true
	w.WantRefused("import_transactions", args{"path": "s.csv"}, "the ledger is read-only")
}

func TestImport_WhatTheUserRefusesIsNotWrittenAndNotSaved(t *testing.T) {
	w := newFixture(t)
	w.Files["own.csv"] = []byte(table)
	m := proposed(t, w, "own.csv")
	w.Allow = false
	w.Call("import_transactions", args{"path": "own.csv", "new_mapping": m, "account": "bank"})
	if names, _ := w.Mappings.Mappings(t.Context()); len(names) > 0 || len(w.Ledger().Transactions) > 0 {
		t.Errorf("saved %v and wrote %v, want neither", names, w.Ledger().Transactions)
	}
}

// A file may end within a day, and the next one start on the same day. Of two equal fills, the
// first is recorded under its number, and the second is not a duplicate of it.
func TestPlan_ASecondFillOfADayIsNotTheFirst(t *testing.T) {
	const header = "Action,Time (UTC),ISIN,Ticker,Name,ID,No. of shares,Price / share,Currency (Price / share),Total,Currency (Total)\n"
	const deposit = "Deposit,2024-01-02 09:00:00,,,,D1,,,,1000,USD\n"
	const first = "Market buy,2024-01-02 10:00:00,US9229087690,VTI,Total,E1,2,100,USD,200,USD\n"
	const second = "Market buy,2024-01-02 11:00:00,US9229087690,VTI,Total,E2,2,100,USD,200,USD\n"
	w := newFixture(t)
	w.Files["noon.csv"], w.Files["night.csv"], w.Files["alone.csv"] = []byte(header+deposit+first), []byte(header+deposit+first+second), []byte(header+second)
	w.MustCall("import_transactions", args{"path": "noon.csv"})
	// Without the first in the file, it is unknown whether this is another.
	w.WantRefused("import_transactions", args{"path": "alone.csv"}, "already recorded as t2")
	if res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "night.csv"})); res["added"] != 1.0 || res["already_there"] != 2.0 {
		t.Errorf("the file of the whole day = %v, want one added and two there", res)
	}
	if got := w.HeldQuantity("trading212", "VTI"); got != "4" {
		t.Errorf("trading212 holds %s VTI, want 4", got)
	}
}

// Brokers correct a transaction under the same number in a later file.
func TestPlan_WhatABrokerCorrectedIsAsked(t *testing.T) {
	const header = "Action,Time (UTC),ISIN,Ticker,Name,ID,No. of shares,Price / share,Currency (Price / share),Total,Currency (Total),Currency conversion fee,Currency (Currency conversion fee)\n"
	const paid = "Deposit,2024-01-02 09:00:00,,,,D1,,,,1000,USD,,\n"
	const bought = "Market buy,2024-01-02 10:00:00,US9229087690,VTI,Total,E1,2,100,USD,200,USD,,\n"
	w := newFixture(t)
	for name, lines := range map[string]string{
		"first.csv": paid + bought, "less.csv": strings.Replace(paid, "1000", "900", 1) + bought,
		"fee.csv": paid + strings.Replace(bought, "200,USD,,", "200,USD,1,USD", 1), "later.csv": strings.Replace(paid, "2024-01-02", "2024-01-03", 1) + bought,
	} {
		w.Files[name] = []byte(header + lines)
	}
	w.MustCall("import_transactions", args{"path": "first.csv"})
	for name, want := range map[string]string{
		"first.csv": "", "fee.csv": "",
		"less.csv":  `(deposit on 2024-01-02 in "trading212") has a different amount in the ledger`,
		"later.csv": `(deposit on 2024-01-02 in "trading212") has a different date in the ledger`,
	} {
		res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": name}))
		questions, _ := res["questions"].([]any)
		if res["added"] != 0.0 || len(questions) != min(len(want), 1) || want != "" && !strings.Contains(questions[0].(string), want) {
			t.Errorf("%s added %v and asks %q, want nothing added and %q", name, res["added"], questions, want)
		}
	}
}

// C37: an earlier export has a dividend that a later one reverses; it must not stay unnoticed.
func TestImport_AReversedPaymentOfAnEarlierFileIsReported(t *testing.T) {
	const header = "Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date\n"
	const paid = "05/15/2024,DIVIDEND RECEIVED ACME INC (ACM) (Cash),ACM,ACME INC,Cash,,,,,,2.50,\n"
	w := newFixture(t)
	w.Files["may.csv"] = []byte(header + paid)
	w.Files["june.csv"] = []byte(header + "06/02/2024,DIVIDEND RECEIVED ACME INC (ACM) (Cash),ACM,ACME INC,Cash,,,,,,-2.50,\n" + paid)
	w.MustCall("import_transactions", args{"path": "may.csv"})
	res := w.Call("import_transactions", args{"path": "june.csv"})
	if text := res.UserText(); !strings.Contains(text, "line 2 reverses it; remove it with nfa portfolio remove "+w.Ledger().Transactions[0].ID) {
		t.Errorf("june.csv = %s\nwant the dividend of May named", text)
	}
}
