package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/doctor"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// bookOf has an account and transactions in it.
func bookOf(t *testing.T, home string, transactions ...portfolio.Transaction) {
	t.Helper()
	b, err := sqlite.OpenBook(t.Context(), filepath.Join(home, "book.db"), sqlite.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	account := portfolio.NewAccount("main")
	account.Cash = portfolio.CashMargin
	err = b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: []portfolio.Account{account}, Add: transactions}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHome_OfANewOneIsSoundAndMakesNoFile(t *testing.T) {
	home := filepath.Join(t.TempDir(), "new")
	found := doctor.Home(t.Context(), home, now)
	wantFinding(t, found, "home", doctor.OK, home)
	wantFinding(t, found, "sessions", doctor.OK, "none yet")
	wantFinding(t, found, "book", doctor.OK, "none yet")
	if files, err := os.ReadDir(home); err != nil || len(files) > 0 {
		t.Errorf("to look made %v, %v", files, err)
	}
}

func TestHome_AFileInItsPlaceIsAProblem(t *testing.T) {
	home := filepath.Join(t.TempDir(), "file")
	put(t, home, "x")
	if f := wantFinding(t, doctor.Home(t.Context(), home, now), "home", doctor.Problem, "cannot be created"); !strings.Contains(f.Mend, "NFA_HOME") {
		t.Errorf("to mend it is said %q", f.Mend)
	}
}

func TestHome_WhatWasSetAsideIsNamedWithoutItsJournals(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"nfa.db.damaged-20261118-150000", "nfa.db.damaged-20261118-150000-2", "nfa.db.damaged-20261118-150000-wal", "nfa.db.damaged"} {
		put(t, filepath.Join(home, name), "x")
	}
	var named []string
	for _, f := range doctor.Home(t.Context(), home, now) {
		if strings.Contains(f.Message, "set aside") {
			named = append(named, filepath.Base(strings.TrimPrefix(f.Message, "a damaged database was set aside: ")))
		}
	}
	if got := strings.Join(named, " "); got != "nfa.db.damaged-20261118-150000 nfa.db.damaged-20261118-150000-2" {
		t.Errorf("named are %s", got)
	}
}

func TestHome_ABookSaysWhatItHolds(t *testing.T) {
	home := t.TempDir()
	bookOf(t, home, portfoliotest.Bought("t1", "main"))
	if f := wantFinding(t, doctor.Home(t.Context(), home, now), "book", doctor.OK, "1 entry, of 1 account"); !strings.Contains(f.Mend, "backup") {
		t.Errorf("of backups it is said %q", f.Mend)
	}
}

func TestHome_ABookThatDoesNotHoldTogetherIsAProblem(t *testing.T) {
	home := t.TempDir()
	sale := portfoliotest.Bought("t1", "main")
	sale.Kind = portfolio.KindSell
	bookOf(t, home, sale)
	if f := wantFinding(t, doctor.Home(t.Context(), home, now), "book", doctor.Problem, "do not hold together"); !strings.Contains(f.Mend, "nfa portfolio list") {
		t.Errorf("to mend it is said %q", f.Mend)
	}
}

func TestHome_ADamagedBookIsAProblemAndKeepsEveryByte(t *testing.T) {
	home := t.TempDir()
	path, damage := filepath.Join(home, "book.db"), strings.Repeat("not a book ", 500)
	put(t, path, damage)
	found := doctor.Home(t.Context(), home, now)
	if got, err := os.ReadFile(path); err != nil || string(got) != damage {
		t.Errorf("the file was changed: %v", err)
	}
	wantFinding(t, found, "book", doctor.Problem, "book.db")
	wantFinding(t, found, "sessions", doctor.OK, "none yet") // one fault hides no other finding
}
