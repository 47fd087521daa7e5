package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writePortfolio writes an account and transactions to the portfolio.
func writePortfolio(t *testing.T, home string, transactions ...portfolio.Transaction) {
	t.Helper()
	b, err := sqlite.OpenPortfolioStore(t.Context(), filepath.Join(home, "book.db"), sqlite.Options{Now: checkTime})
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
	found := app.CheckHome(t.Context(), home, checkTime)
	wantFinding(t, found, "home", app.StatusOK, home)
	wantFinding(t, found, "sessions", app.StatusOK, "none yet")
	wantFinding(t, found, "portfolio", app.StatusOK, "none yet")
	if files, err := os.ReadDir(home); err != nil || len(files) > 0 {
		t.Errorf("to look made %v, %v", files, err)
	}
}

func TestHome_AFileInItsPlaceIsAProblem(t *testing.T) {
	home := filepath.Join(t.TempDir(), "file")
	writeFile(t, home, "x")
	if f := wantFinding(t, app.CheckHome(t.Context(), home, checkTime), "home", app.StatusProblem, "cannot create"); !strings.Contains(f.Fix, "NFA_HOME") {
		t.Errorf("Fix = %q", f.Fix)
	}
}

func TestHome_WhatWasSetAsideIsNamedWithoutItsJournals(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"nfa.db.damaged-20261118-150000", "nfa.db.damaged-20261118-150000-2", "nfa.db.damaged-20261118-150000-wal", "nfa.db.damaged"} {
		writeFile(t, filepath.Join(home, name), "x")
	}
	var named []string
	for _, f := range app.CheckHome(t.Context(), home, checkTime) {
		if strings.Contains(f.Message, "damaged database") {
			named = append(named, filepath.Base(strings.TrimPrefix(f.Message, "a damaged database was moved to ")))
		}
	}
	if got := strings.Join(named, " "); got != "nfa.db.damaged-20261118-150000 nfa.db.damaged-20261118-150000-2" {
		t.Errorf("named are %s", got)
	}
}

func TestCheckHome_APortfolioReportsWhatItHolds(t *testing.T) {
	home := t.TempDir()
	writePortfolio(t, home, portfoliotest.Purchase("t1", "main"))
	if f := wantFinding(t, app.CheckHome(t.Context(), home, checkTime), "portfolio", app.StatusOK, "1 transaction in 1 account"); !strings.Contains(f.Fix, "backup") {
		t.Errorf("of backups it is said %q", f.Fix)
	}
}

func TestCheckHome_AContradictingLedgerIsAProblem(t *testing.T) {
	home := t.TempDir()
	sale := portfoliotest.Purchase("t1", "main")
	sale.Kind = portfolio.KindSell
	writePortfolio(t, home, sale)
	if f := wantFinding(t, app.CheckHome(t.Context(), home, checkTime), "portfolio", app.StatusProblem, "are inconsistent"); !strings.Contains(f.Fix, "nfa portfolio list") {
		t.Errorf("Fix = %q", f.Fix)
	}
}

func TestCheckHome_ADamagedPortfolioIsAProblemAndKeepsEveryByte(t *testing.T) {
	home := t.TempDir()
	path, damage := filepath.Join(home, "book.db"), strings.Repeat("not a book ", 500)
	writeFile(t, path, damage)
	found := app.CheckHome(t.Context(), home, checkTime)
	if got, err := os.ReadFile(path); err != nil || string(got) != damage {
		t.Errorf("the file was changed: %v", err)
	}
	wantFinding(t, found, "portfolio", app.StatusProblem, "book.db")
	wantFinding(t, found, "sessions", app.StatusOK, "none yet") // one fault hides no other finding
}
