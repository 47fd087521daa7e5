package ledger_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// exported returns the nfa export of a ledger in JSON.
func exported(t testing.TB, l portfolio.Ledger) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := export.Write(&b, l, export.FormatJSON); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// randomLedger returns a valid ledger with random accounts, aliases, securities and targets.
func randomLedger(r *rand.Rand) portfolio.Ledger {
	var l portfolio.Ledger
	symbols := []market.Symbol{"VTI", "SAP", "BRK.B", "US9229087690", "US0378331005"}
	for i := range 1 + r.IntN(4) {
		a := portfolio.Account{
			Name: fmt.Sprintf("account %d", 9-i), Method: portfolio.Methods()[r.IntN(len(portfolio.Methods()))],
			Cash: portfolio.CashPolicies()[r.IntN(len(portfolio.CashPolicies()))], Untaxed: r.IntN(2) == 0,
		}
		if r.IntN(3) == 0 {
			a.Owner = "spouse"
		}
		l.Accounts = append(l.Accounts, a)
		first := len(l.Transactions)
		l.Transactions = append(l.Transactions, entry(fmt.Sprintf("in%d", i), "2024-01-02", portfolio.KindDeposit, a.Name, "", "0", "100000"))
		for n := range r.IntN(8) {
			t := entry(fmt.Sprintf("%d-%d", i, n), "2024-02-05", portfolio.KindBuy, a.Name, symbols[r.IntN(len(symbols))], fmt.Sprint(1+r.IntN(9)), fmt.Sprint(1+r.IntN(900)))
			t.Date, t.Note, t.Fee = t.Date.AddDate(0, 0, r.IntN(60)), []string{"", "=1+1", "a; b"}[r.IntN(3)], decimal.New(int64(r.IntN(300)), -2)
			if r.IntN(2) == 0 { // from a broker's file, not by hand
				t.Source, t.SourceID = "schwab", t.ID
			}
			l.Transactions = append(l.Transactions, t)
		}
		if last := l.Transactions[len(l.Transactions)-1]; len(l.Transactions) > first+1 && r.IntN(2) == 0 {
			sold := entry("sold"+last.ID, "2024-05-02", portfolio.KindSell, a.Name, last.Symbol, last.Quantity.String(), "50")
			sold.Lots = []portfolio.LotPick{{Lot: last.ID, Quantity: last.Quantity}}
			l.Transactions = append(l.Transactions, sold)
		}
	}
	if r.IntN(2) == 0 {
		l.Aliases = map[market.Symbol]market.Symbol{"US0378331005": "AAPL", "OLD": "SAP"}
	}
	for _, sym := range []market.Symbol{"AAPL", "SAP", "VTI"} {
		s := portfolio.Security{Symbol: sym, Class: portfolio.ClassEquity, Region: "World", RecordedOn: portfoliotest.Day("2023-05-06")}
		if s.Fee.Valid = r.IntN(2) == 0; s.Fee.Valid {
			s.Fee.Decimal = toolstest.MustDecimal("0.0007")
		}
		if r.IntN(2) == 0 {
			l.Securities = append(l.Securities, s)
		}
		if r.IntN(2) == 0 {
			l.Targets = append(l.Targets, portfolio.Target{Symbol: sym, Weight: decimal.New(int64(1+r.IntN(33)), -2)})
		}
	}
	return l
}

// sortLedger sorts everything in an order that does not depend on when it was recorded.
func sortLedger(l portfolio.Ledger) portfolio.Ledger {
	slices.SortFunc(l.Accounts, func(a, b portfolio.Account) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(l.Transactions, func(a, b portfolio.Transaction) int { return cmp.Compare(a.ID, b.ID) })
	return l
}

func wantSame(t testing.TB, what string, want, got portfolio.Ledger) {
	t.Helper()
	if diff := gocmp.Diff(sortLedger(want), sortLedger(got), gocmp.Comparer(decimal.Decimal.Equal), gocmp.Comparer(time.Time.Equal)); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// An export imported into an empty ledger gives the same ledger, and a second import adds nothing and asks
// nothing.
func TestImport_AnExportIntoAnEmptyBookIsTheBook(t *testing.T) {
	for _, store := range []struct {
		name  string
		open  func(testing.TB) *fixture
		seeds uint64
	}{{"in memory", newFixture, 40}, {"in a file", newSQLiteFixture, 4}} {
		t.Run(store.name, func(t *testing.T) {
			for seed := range store.seeds {
				l := randomLedger(rand.New(rand.NewPCG(seed, 7)))
				if err := lots.Check(l); err != nil {
					t.Fatalf("seed %d: the ledger to export does not hold: %v", seed, err)
				}
				w := store.open(t)
				w.Files["own-ledger.json"] = exported(t, l)
				w.MustCall("import_transactions", args{"path": "own-ledger.json"})
				wantSame(t, fmt.Sprintf("seed %d: imported into an empty book", seed), l, w.Ledger())
				if again := exported(t, w.Ledger()); !bytes.Equal(again, w.Files["own-ledger.json"]) {
					t.Fatalf("seed %d: exported again as\n%s\nwant\n%s", seed, again, w.Files["own-ledger.json"])
				}
				res := toolstest.DecodeResult(t, w.MustCall("import_transactions", args{"path": "own-ledger.json"}))
				if res["added"] != 0.0 || res["questions"] != nil || res["settings"] != nil || res["accounts_made"] != nil {
					t.Fatalf("seed %d: the second time = %v, want nothing new and no question", seed, res)
				}
				wantSame(t, fmt.Sprintf("seed %d: imported twice", seed), l, w.Ledger())
			}
		})
	}
}

// settledLedger returns a ledger with every setting; otherLedger has other values.
func settledLedger() portfolio.Ledger {
	return portfolio.Ledger{
		Accounts:     []portfolio.Account{{Name: "us", Method: portfolio.MethodLIFO, Cash: portfolio.CashUntracked}},
		Transactions: []portfolio.Transaction{entry("1", "2024-01-03", portfolio.KindBuy, "us", "SAP", "1", "100")},
		Aliases:      map[market.Symbol]market.Symbol{"SAPG": "SAP"},
		Securities:   []portfolio.Security{{Symbol: "SAP", Class: portfolio.ClassEquity, Region: "Europe"}},
		Targets:      []portfolio.Target{{Symbol: "SAP", Weight: toolstest.MustDecimal("0.5")}},
	}
}

func otherLedger() portfolio.Ledger {
	l := settledLedger()
	l.Accounts[0].Method, l.Accounts[0].Untaxed = portfolio.MethodFIFO, true
	l.Aliases["SAPG"] = "SAPX"
	l.Securities[0].Region = "World"
	l.Targets[0].Weight = toolstest.MustDecimal("0.25")
	l.Transactions[0].Fee, l.Transactions[0].Note = toolstest.MustDecimal("1"), "mended"
	return l
}

func TestImport_WhatTheBookSaysOtherwiseStaysAndIsAsked(t *testing.T) {
	w := newFixture(t)
	w.Files["own-ledger.json"], w.Files["other.json"] = exported(t, settledLedger()), exported(t, otherLedger())
	w.MustCall("import_transactions", args{"path": "own-ledger.json"})
	res := w.MustCall("import_transactions", args{"path": "other.json"})
	wantSame(t, "the book after a file that says otherwise", settledLedger(), w.Ledger())
	questions := fmt.Sprint(toolstest.DecodeResult(t, res)["questions"])
	for _, want := range []string{
		`account "us": the file has cost basis fifo, cash untracked, tax-deferred, the ledger has cost basis lifo, cash untracked. The ledger's setting is kept`,
		"SAPG: the file has an alias for SAPX", "SAP: the file has class equity, region World",
		"targets: the file has SAP 25%, the ledger has SAP 50%", "take_settings", "1 (buy SAP on 2024-01-03", "different fee, note in the ledger",
	} {
		if !strings.Contains(questions, want) {
			t.Errorf("questions = %s\nwant %q", questions, want)
		}
		if !strings.Contains(res.ForUser, want) {
			t.Errorf("the user reads %s\nwant %q", res.ForUser, want)
		}
	}
	// With take_settings the file's settings are used, and transactions are kept.
	w.MustCall("import_transactions", args{"path": "other.json", "take_settings": true})
	want := otherLedger()
	want.Transactions = settledLedger().Transactions
	wantSame(t, "the book with the file's settings taken", want, w.Ledger())
}

// A file with settings that do not fit the ledger changes nothing.
func TestImport_SettingsAreAllOrNothing(t *testing.T) {
	w := newFixture(t)
	w.Record(portfolio.Change{Aliases: map[market.Symbol]market.Symbol{"SAP": "SAPG"}})
	w.Files["own-ledger.json"] = exported(t, settledLedger())
	w.WantRefused("import_transactions", args{"path": "own-ledger.json"}, "nothing was written", "points to itself")
	if l := w.Ledger(); len(l.Securities)+len(l.Targets) > 0 {
		t.Errorf("the ledger after a refusal has %v and %v", l.Securities, l.Targets)
	}
	// An invalid setting refuses the file, as an invalid line does.
	w = newFixture(t)
	w.Files["own-ledger.json"] = bytes.Replace(exported(t, settledLedger()), []byte(`"lifo"`), []byte(`"best"`), 1)
	w.WantRefused("import_transactions", args{"path": "own-ledger.json", "skip_problems": false}, "line 1", "best")
	w.MustCall("import_transactions", args{"path": "own-ledger.json"})
	if a, _ := w.Ledger().Account("us"); a.Method != portfolio.MethodFIFO {
		t.Errorf("account %+v, want it as a new one is", a)
	}
}

// SAP has another symbol in the ledger than in the file: facts and targets are recorded under that of the
// ledger.
func TestImport_FactsGoToTheSymbolOfTheBook(t *testing.T) {
	w := newFixture(t)
	w.Record(portfolio.Change{Aliases: map[market.Symbol]market.Symbol{"SAP": "SAP.DE"}})
	l := settledLedger()
	l.Aliases = nil
	w.Files["own-ledger.json"] = exported(t, l)
	w.MustCall("import_transactions", args{"path": "own-ledger.json"})
	got := w.Ledger()
	if len(got.Securities) != 1 || got.Securities[0].Symbol != "SAP.DE" || len(got.Targets) != 1 || got.Targets[0].Symbol != "SAP.DE" {
		t.Errorf("facts %v and targets %v, want both of SAP.DE", got.Securities, got.Targets)
	}
}

func TestImport_WhatTheUserSaysHoldsAgainstTheFile(t *testing.T) {
	w := newFixture(t)
	w.Files["own-ledger.json"] = exported(t, settledLedger())
	w.MustCall("import_transactions", args{"path": "own-ledger.json", "cash": "margin", "symbols": args{"SAPG": "VTI"}})
	if a, _ := w.Ledger().Account("us"); a.Cash != portfolio.CashMargin || a.Method != portfolio.MethodLIFO {
		t.Errorf("account %+v, want margin as the user said, and lifo of the file", a)
	}
	if got := w.Ledger().Aliases["SAPG"]; got != "VTI" {
		t.Errorf("SAPG is %s, want VTI as the user said", got)
	}
}

// The same ID twice in one file would give two lots the same name.
func TestImport_AnIDTwiceInAFileIsAProblem(t *testing.T) {
	a := entry("1", "2024-01-03", portfolio.KindBuy, "us", "SAP", "1", "100")
	b := entry("1", "2024-01-04", portfolio.KindBuy, "us", "SAP", "2", "200")
	w := newFixture(t)
	w.Files["own.csv"] = ownFile(t, a, b)
	w.WantRefused("import_transactions", args{"path": "own.csv", "skip_problems": false}, "line 3: it has the same ID 1 as line 2")
}

func TestReport_OneIsNotCountedAsMany(t *testing.T) {
	w := newFixture(t)
	lines := strings.SplitAfter(schwab, "\n")
	w.Files["s.csv"] = []byte(lines[0] + strings.Replace(lines[3], "Buy", "Frob", 1) + lines[4] + `"Transactions Total","","","","","","",""` + "\n")
	w.WantRefused("import_transactions", args{"path": "s.csv", "skip_problems": false}, "has 1 line that cannot be recorded (also 1 transaction to add, 0 already recorded, 1 line with nothing to record)")
	w.MustCall("import_transactions", args{"path": "s.csv"})
	for _, want := range []string{"records 1 transaction from", "leaves out 1 line that", "ignores 1 line with nothing to record"} {
		if !strings.Contains(w.Plan(), want) {
			t.Errorf("plan = %s\nwant %q", w.Plan(), want)
		}
	}
	if again := w.MustCall("import_transactions", args{"path": "s.csv"}); !strings.Contains(again.ForUser, "1 transaction") || len(w.Approvals) != 1 {
		t.Errorf("the second time %d questions and %s", len(w.Approvals)-1, again.ForUser)
	}
}
