package sqlite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func openPortfolio(t testing.TB, path string) *sqlite.PortfolioStore {
	t.Helper()
	return openPortfolioAt(t, path, noon)
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// openPortfolioAt opens a portfolio as of a moment.
func openPortfolioAt(t testing.TB, path string, now time.Time) *sqlite.PortfolioStore {
	t.Helper()
	b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{
		Notice: func(s string) { t.Errorf("unexpected notice: %s", s) },
		Now:    func() time.Time { return now },
	})
	if err != nil {
		t.Fatalf("OpenPortfolioStore(%s) = %v", path, err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func portfolioPath(t testing.TB) string { return filepath.Join(t.TempDir(), "book.db") }

// addTransactions records purchases by their IDs, in the account "main".
func addTransactions(t testing.TB, b *sqlite.PortfolioStore, ids ...string) {
	t.Helper()
	c := portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("main")}}
	for _, id := range ids {
		c.Add = append(c.Add, portfoliotest.Purchase(id, "main"))
	}
	if err := applyChange(t, b, c); err != nil {
		t.Fatalf("Update = %v", err)
	}
}

func applyChange(t testing.TB, b *sqlite.PortfolioStore, c portfolio.Change) error {
	t.Helper()
	return b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { return c, nil })
}

func heldPositions(t testing.TB, b *sqlite.PortfolioStore) string {
	t.Helper()
	l, err := b.Ledger(t.Context())
	if err != nil {
		t.Fatalf("Ledger = %v", err)
	}
	var ids []string
	for _, tr := range l.Transactions {
		ids = append(ids, tr.ID)
	}
	return strings.Join(ids, " ")
}

func TestPortfolioStore_HoldsTheContract(t *testing.T) {
	portfoliotest.RunStore(t, func(t *testing.T) portfolio.Store { return openPortfolio(t, portfolioPath(t)) })
}

func TestPortfolioStore_WhatWasRecordedIsThereAgainAndForTheUserAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "home [1] 50% ?&#")
	path := filepath.Join(dir, "book.db")
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	addTransactions(t, b, "b") // and a backup
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v, want the portfolio, its logs and a backup", len(files), err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o, %v, want 600", f.Name(), info.Mode().Perm(), err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %o, %v, want 700", info.Mode().Perm(), err)
	}
	b.Close()
	if got := heldPositions(t, openPortfolio(t, path)); got != "a b" {
		t.Errorf("the portfolio has %q, want %q", got, "a b")
	}
}

// A person can read the file: the sqlite3 program shows every digit as it was given.
func TestPortfolioStore_RowsReadAsTheyWereGiven(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	if err := applyChange(t, b, portfolio.Change{
		Accounts: []portfolio.Account{portfolio.NewAccount("main"), portfolio.NewAccount("other")},
		Add:      portfoliotest.EveryKind("main", "other"),
	}); err != nil {
		t.Fatal(err)
	}
	b.Close()
	for query, want := range map[string]string{
		"SELECT date || ' ' || kind || ' ' || quantity || ' ' || amount || ' ' || fee FROM transactions WHERE id = 'moved'":                 "",
		"SELECT date || ' ' || kind || ' ' || symbol || ' ' || quantity || ' ' || amount || ' ' || fee FROM transactions WHERE id = 'full'": "2026-03-02 buy VTI 12345678901234567890.123456789 2000.00 1.00",
		"SELECT time || ' ' || price || ' ' || tax FROM transactions WHERE id = 'full'":                                                     "2026-03-02T15:59:59.123456789-04:00 0.00000001 0.0000000001",
		"SELECT group_concat(lot || ':' || quantity) FROM lot_pick":                                                                         "full:1.25,k1-2:2.25",
		"SELECT name || ' ' || cost_basis || ' ' || cash FROM account WHERE seq = 2":                                                        "other fifo tracked",
		"SELECT acquired FROM transactions WHERE acquired IS NOT NULL":                                                                      "1999-12-31",
		"SELECT recorded_at FROM transactions LIMIT 1":                                                                                      "2026-11-22T12:00:00Z",
	} {
		if got := ask(t, path, query); got != want {
			t.Errorf("%s\n = %q, want %q", query, got, want)
		}
	}
}

func TestBook_ARowThatAPersonSpoiltIsNamed(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a", "b", "c")
	b.Close()
	for statement, want := range map[string]string{
		"UPDATE transactions SET amount = '1.2.3' WHERE id = 'b'":               `row 2 of transactions, with id "b": amount "1.2.3": not a number`,
		"UPDATE transactions SET kind = 'gift' WHERE id = 'b'":                  `kind "gift": not one of`,
		"UPDATE transactions SET time = 'at noon' WHERE id = 'c'":               `row 3 of transactions, with id "c": time "at noon": not a time`,
		"UPDATE transactions SET note = 'a' || char(31) WHERE id = 'a'":         `row 1 of transactions: it has an invalid character`,
		"UPDATE account SET cash = 'plenty'":                                    `account "main": cash "plenty" is not one of`,
		"INSERT INTO security (symbol, class) VALUES ('VTI', 'share')":          `row "VTI" of table security: class "share": not one of`,
		"INSERT INTO target VALUES ('VTI', '1-1')":                              `row "VTI" of table target: weight "1-1": not a number`,
		"INSERT INTO lot_pick SELECT seq, 1, 'x', '1..' FROM transactions":      `of transaction a: quantity`,
		"UPDATE transactions SET quantity = '99999999999999999999' || char(48)": ``,
	} {
		copied := portfolioPath(t)
		copyFile(t, path, copied)
		execute(t, copied, statement)
		b := openPortfolio(t, copied)
		l, err := b.Ledger(t.Context())
		if want == "" {
			if err != nil || len(l.Transactions) != 3 {
				t.Errorf("%s: Ledger = %v, %v, want it to read", statement, l, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: Ledger = %v, want %q in it", statement, err, want)
		}
		if err := applyChange(t, b, portfolio.Change{Remove: []string{"a"}}); err == nil {
			t.Errorf("%s: Update = nil, want nothing written to a portfolio that cannot be read", statement)
		}
		if got := ask(t, copied, "SELECT count(*) FROM transactions WHERE removed_at IS NULL"); got != "3" {
			t.Errorf("%s: %s rows are left, want all 3", statement, got)
		}
	}
}

// The file itself refuses the mistakes that a person who edits it is most likely to make.
func TestPortfolioStore_TheFileRefusesWhatCannotBe(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a", "b")
	b.Close()
	for _, statement := range []string{
		"UPDATE transactions SET date = '2026-02-30'",
		"UPDATE transactions SET date = '22.11.2026'",
		"UPDATE transactions SET amount = '12,5'",
		"UPDATE transactions SET amount = ''",
		"UPDATE transactions SET id = 'a'",
		"UPDATE transactions SET short = 2",
		"UPDATE transactions SET source = 'schwab'",
		"UPDATE transactions SET amount = x'00'",
		"PRAGMA foreign_keys = ON; UPDATE transactions SET account = 'nobody'",
		"PRAGMA foreign_keys = ON; DELETE FROM account",
		"INSERT INTO account (name, cost_basis, cash) VALUES ('', 'fifo', 'tracked')",
		"INSERT INTO document VALUES ('csv_mapping', 'x', 'no JSON', '')",
	} {
		if err := attempt(path, statement); err == nil {
			t.Errorf("%s was done, want it refused", statement)
		}
	}
	if got := heldPositions(t, openPortfolio(t, path)); got != "a b" {
		t.Errorf("the portfolio has %q, want %q", got, "a b")
	}
}

func TestPortfolioStore_WhatWasRemovedMayBeAddedAgain(t *testing.T) {
	b := openPortfolio(t, portfolioPath(t))
	sale := portfoliotest.EveryKind("main", "main")[3] // names lots
	sale.ID = "sale"
	addTransactions(t, b, "a", "b")
	for _, c := range []portfolio.Change{{Add: []portfolio.Transaction{sale}}, {Remove: []string{"a", "sale"}}, {Add: []portfolio.Transaction{sale}}} {
		if err := applyChange(t, b, c); err != nil {
			t.Fatal(err)
		}
	}
	if got := heldPositions(t, b); got != "b sale" {
		t.Errorf("the portfolio has %q, want %q", got, "b sale")
	}
	l, err := b.Ledger(t.Context())
	if diff := cmp.Diff(sale, l.Transactions[1]); err != nil || diff != "" {
		t.Errorf("the transaction that is back, %v (-want +got):\n%s", err, diff)
	}
}

func TestPortfolioStore_KeepsMappings(t *testing.T) {
	b := openPortfolio(t, portfolioPath(t))
	if doc, ok, err := b.Mapping(t.Context(), "bank"); ok || err != nil {
		t.Errorf("Mapping of none = %s, %t, %v", doc, ok, err)
	}
	for _, save := range [][2]string{{"bank", `{"date":1}`}, {"a broker", `{"date": 2}`}, {"bank", `{"date":"Datum «ü»"}`}} {
		if err := b.SaveMapping(t.Context(), save[0], json.RawMessage(save[1])); err != nil {
			t.Fatalf("SaveMapping(%q) = %v", save, err)
		}
	}
	for _, wrong := range []string{"", "{", `{"date":1} x`, `"` + strings.Repeat("x", 1<<20) + `"`} {
		if err := b.SaveMapping(t.Context(), "bank", json.RawMessage(wrong)); err == nil {
			t.Errorf("SaveMapping of %.20q = nil, want it refused", wrong)
		}
	}
	doc, ok, err := b.Mapping(t.Context(), "bank")
	if string(doc) != `{"date":"Datum «ü»"}` || !ok || err != nil {
		t.Errorf("Mapping = %s, %t, %v, want what was saved last", doc, ok, err)
	}
	names, err := b.Mappings(t.Context())
	if diff := cmp.Diff([]string{"a broker", "bank"}, names); diff != "" || err != nil {
		t.Errorf("Mappings, %v (-want +got):\n%s", err, diff)
	}
}

func TestPortfolioStore_AnImportOfTheSameFileAddsNothing(t *testing.T) {
	b := openPortfolio(t, portfolioPath(t))
	addTransactions(t, b)
	for round := range 3 {
		err := b.Update(t.Context(), func(l portfolio.Ledger) (portfolio.Change, error) { return importOf(l, "p", 0, 40), nil })
		if err != nil {
			t.Fatalf("round %d: Update = %v", round, err)
		}
	}
	l, err := b.Ledger(t.Context())
	if err != nil || len(l.Transactions) != 40 {
		t.Errorf("%d transactions, %v, want 40", len(l.Transactions), err)
	}
}

// importOf returns the change that an import of lines first to last of a file makes to a ledger.
func importOf(l portfolio.Ledger, prefix string, first, last int) portfolio.Change {
	var c portfolio.Change
	known := l.Origins()
	for i := first; i < last; i++ {
		line := portfoliotest.Purchase(fmt.Sprint(prefix, i), "main")
		line.Source, line.SourceID = "schwab", fmt.Sprint(i)
		if o, _ := line.Origin(); known[o] == "" {
			c.Add = append(c.Add, line)
		}
	}
	return c
}

func TestPortfolioStore_APanicInAChangeLeavesThePortfolioUsable(t *testing.T) {
	b := openPortfolio(t, portfolioPath(t))
	addTransactions(t, b, "a")
	func() {
		defer func() { _ = recover() }()
		_ = b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) { panic("a fault") })
	}()
	addTransactions(t, b, "b")
	if got := heldPositions(t, b); got != "a b" {
		t.Errorf("the portfolio has %q, want %q", got, "a b")
	}
}

func TestPortfolioStore_AClosedPortfolioIsAnError(t *testing.T) {
	b, err := sqlite.OpenPortfolioStore(t.Context(), portfolioPath(t), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	if _, err := b.Ledger(t.Context()); err == nil {
		t.Error("Ledger of a closed portfolio = nil")
	}
	if err := applyChange(t, b, portfolio.Change{}); err == nil {
		t.Error("Update of a closed portfolio = nil")
	}
}

func TestOpenPortfolioStore_WhatMayNotBeWrittenIsSaidAndLeftAlone(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	for name, forbid := range map[string]func(path string) error{
		"the folder": func(path string) error { return os.Chmod(filepath.Dir(path), 0o500) },
		"both": func(path string) error {
			return errors.Join(os.Chmod(path, 0o400), os.Chmod(filepath.Dir(path), 0o500))
		},
	} {
		path := portfolioPath(t)
		b := openPortfolio(t, path)
		addTransactions(t, b, "a")
		b.Close()
		before := filesOf(t, path)
		if err := forbid(path); err != nil {
			t.Fatal(err)
		}
		b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{})
		if err == nil {
			b.Close()
			t.Errorf("%s: OpenPortfolioStore = nil, want an error", name)
		} else if text := err.Error(); !strings.Contains(text, path) || strings.Contains(text, "damaged") {
			t.Errorf("%s: OpenPortfolioStore = %v, want it to say what may not be written", name, err)
		}
		if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if after := filesOf(t, path); string(after[""]) != string(before[""]) {
			t.Errorf("%s: the portfolio has changed", name)
		}
	}
}
