package export_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

var posting = regexp.MustCompile(`^    ([A-Z][^;"]*?)  (-?[0-9.]+) ("[^"]+"|[A-Z]+)(?: @@ ([0-9.]+) ([A-Z]+))?$`)

// sums parses a ledger as double entry: the total of each entry by commodity, with costs instead of
// quantities if given, and the final balance of each account.
func sums(t *testing.T, text string) (entries map[string]map[string]decimal.Decimal, held map[string]decimal.Decimal) {
	t.Helper()
	entries, held = map[string]map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
	id := ""
	for row := range strings.Lines(text) {
		row = strings.TrimSuffix(row, "\n")
		if name, ok := strings.CutPrefix(row, "    ; id: "); ok {
			id = name
			entries[id] = map[string]decimal.Decimal{}
		}
		if row == "" || row[0] != ' ' || strings.HasPrefix(row, "    ; ") {
			continue
		}
		m := posting.FindStringSubmatch(row)
		if m == nil {
			t.Fatalf("line %q is not a posting", row)
		}
		quantity := dec(m[2])
		held[m[1]+" "+m[3]] = held[m[1]+" "+m[3]].Add(quantity)
		weight, commodity := quantity, m[3]
		if m[5] != "" {
			weight, commodity = dec(m[4]), m[5]
			if quantity.IsNegative() {
				weight = weight.Neg()
			}
		}
		entries[id][commodity] = entries[id][commodity].Add(weight)
	}
	return entries, held
}

func TestLedger_EveryEntryBalances(t *testing.T) {
	l := everyKind()
	text := writeString(t, l, export.FormatLedger)
	entries, _ := sums(t, text)
	if len(entries) != len(l.Transactions) {
		t.Errorf("%d entries of %d transactions:\n%s", len(entries), len(l.Transactions), text)
	}
	for id, commodities := range entries {
		if len(commodities) == 0 {
			t.Errorf("entry %s has no postings", id)
		}
		for commodity, sum := range commodities {
			if !sum.IsZero() {
				t.Errorf("entry %s is out by %s %s", id, sum, commodity)
			}
		}
	}
}

func TestLedger_AccountsHoldWhatTheEngineHolds(t *testing.T) {
	l := everyKind()
	_, held := sums(t, writeString(t, l, export.FormatLedger))
	engine, err := lots.New(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Advance(market.Date{}); err != nil {
		t.Fatal(err)
	}
	part := func(account string) string {
		return strings.NewReplacer(";", "%3B", ":", "%3A", "  ", " %20").Replace(account)
	}
	for _, p := range engine.Positions() {
		commodity := `"` + string(p.Symbol) + `"`
		if p.Symbol == "ALL" {
			commodity = `"ALL shares"`
		}
		key := "Assets:" + part(p.Account) + ":Securities " + commodity
		if !held[key].Equal(p.Quantity) {
			t.Errorf("%s = %s, want %s", key, held[key], p.Quantity)
		}
		delete(held, key)
	}
	for _, b := range engine.Balances() {
		key := "Assets:" + part(b.Account) + ":Cash " + b.Currency
		if !held[key].Equal(b.Amount) {
			t.Errorf("%s = %s, want %s", key, held[key], b.Amount)
		}
		delete(held, key)
	}
	for key, rest := range held {
		if strings.HasPrefix(key, "Assets:") && !rest.IsZero() {
			t.Errorf("%s = %s, which the engine does not have", key, rest)
		}
	}
}

func TestLedger_EntriesSayWhatWasPaid(t *testing.T) {
	text := writeString(t, everyKind(), export.FormatLedger)
	for _, want := range []string{
		"\n2024-02-01 buy AAPL\n    ; id: a03\n    ; name: 'Apple' %3B note%3A%3A 1 %5B2024/01/01%5D\n    ; isin: US0378331005\n" +
			"    ; source: schwab\n    ; source_id: -17\n" +
			"    Assets:roth ira:Securities  10.5 \"AAPL\" @@ 1051.05 USD\n    Assets:roth ira:Cash  -1052.31 USD\n" +
			"    Expenses:Fees  1.25 USD\n    Expenses:Taxes  0.01 USD\n",
		// The shares cost 6 less 0.9 tax less 0.1 fee, and no cash remains.
		"    ; id: a05\n    Assets:roth ira:Securities  0.05 \"AAPL\" @@ 5 USD\n    Income:Dividends:AAPL  -6 USD\n" +
			"    Expenses:Fees  0.1 USD\n    Expenses:Taxes  0.9 USD\n",
		"    ; id: a11\n    Assets:trades:Securities  3 \"BRK.B\" @@ 900 USD\n    Equity:Transfers  -900 USD\n",
		"    ; id: a12\n    Assets:trades:Securities  7 \"ALL shares\"\n    Equity:Transfers  -7 \"ALL shares\"\n",
		// 4 for 1 of the 10.55 shares held: 31.65 more.
		"    ; id: a16\n    Assets:roth ira:Securities  31.65 \"AAPL\"\n    Equity:Corporate Actions  -31.65 \"AAPL\"\n",
		"    ; id: a21\n    Assets:main%3B (A%3AB) %20x:Cash  -1002 EUR\n    Assets:main%3B (A%3AB) %20x:Cash  107500 ALL @@ 1000 EUR\n    Expenses:Fees  2 EUR\n",
		// A refund lowers the expense.
		"    ; id: a27\n    Assets:roth ira:Cash  1.25 USD\n    Expenses:Fees  -1.25 USD\n",
		"    ; id: a28\n    Expenses:Taxes  -0.75 USD\n    Equity:External  0.75 USD\n",
		"    ; id: a23\n    Assets:trades:Securities  -2 \"BRK.B\" @@ 800 USD\n    Equity:External  800 USD\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the ledger has no\n%s\nin\n%s", want, text)
		}
	}
}

// FuzzLedger looks for names and notes that break out of their line.
func FuzzLedger(f *testing.F) {
	for _, seed := range []string{"x", "a:b", "  two  ", `q"q`, "; date:2024-01-01", "%3B", "[=2020/01/01]", "\u00a0\u2003wide", "(virtual)", "* cleared", "= 5"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, account, note string) {
		l := portfolio.Ledger{Accounts: []portfolio.Account{portfolio.NewAccount(account)}}
		l.Transactions = []portfolio.Transaction{
			{ID: "a", Date: date(1, 2), Kind: portfolio.KindDividend, Account: account, Symbol: "X", Currency: "EUR", Amount: dec("10"), Note: note, Name: note},
		}
		var out strings.Builder
		if err := export.Write(&out, l, export.FormatLedger); err != nil {
			t.Skip("the ledger cannot be applied")
		}
		entries, _ := sums(t, out.String())
		if len(entries) != 1 || !entries["a"]["EUR"].IsZero() || strings.Count(out.String(), "\n    Assets:") != 1 {
			t.Fatalf("account %q, note %q made\n%s", account, note, out.String())
		}
		for row := range strings.Lines(out.String()) {
			if _, remark, ok := strings.Cut(row, "    ; note: "); ok && strings.ContainsAny(remark, ":[];") {
				t.Fatalf("note %q is written as %q", note, remark)
			}
		}
	})
}

func TestLedger_RealProgramsAcceptIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.ledger")
	if err := os.WriteFile(path, []byte(writeString(t, everyKind(), export.FormatLedger)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"hledger", "ledger"} {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is not installed", program)
			}
			// The user's own settings must not change the result.
			cmd := exec.CommandContext(t.Context(), program, "-f", path, "balance")
			cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s balance = %v\n%s", program, err, out)
			}
		})
	}
}
