package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// backupsOf lists what follows book.db.backup- in the names of the files next to the portfolio.
func backupsOf(t *testing.T, path string) []string {
	t.Helper()
	files, err := filepath.Glob(path + ".backup-*")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range files {
		all = append(all, strings.TrimPrefix(f, path+".backup-"))
	}
	return all
}

func TestBackup_OnceADayAndTheLastSevenStay(t *testing.T) {
	path := portfolioPath(t)
	for _, own := range []string{".backup-mine", ".backup-20260101-old", ".backup-2026010", ".backup-20250101-schema"} {
		touch(t, path+own)
	}
	addTransactions(t, openPortfolioAt(t, path, noon), "first") // there is nothing to keep yet
	var want []string
	for day := range 10 {
		now := noon.AddDate(0, 0, day)
		b := openPortfolioAt(t, path, now)
		addTransactions(t, b, now.Format("20060102")+"morning")
		addTransactions(t, b, now.Format("20060102")+"evening")
		b.Close()
		want = append(want, now.Format("20060102"))
	}
	want = append(want[3:], "20250101-schema", "2026010", "20260101-old", "mine")
	got := backupsOf(t, path)
	if diff := cmp.Diff(setOf(want), setOf(got)); diff != "" {
		t.Errorf("backups (-want +got):\n%s", diff)
	}
	// The newest backup is the portfolio before the last day, and can replace it.
	restored := portfolioPath(t)
	copyFile(t, path+".backup-20261201", restored)
	if got := heldPositions(t, openPortfolio(t, restored)); !strings.HasSuffix(got, "20261130evening") {
		t.Errorf("the restored portfolio has %q, want it as it was before the first change of the day", got)
	}
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

func TestBackup_ComesBeforeAMigration(t *testing.T) {
	path := portfolioPath(t)
	script, err := os.ReadFile("migration/book/0001_ledger.sql")
	if err != nil {
		t.Fatal(err)
	}
	execute(t, path, string(script))
	execute(t, path, "PRAGMA user_version = 1; INSERT INTO account (name, cost_basis, cash) VALUES ('old', 'fifo', 'tracked')")
	b := openPortfolio(t, path)
	if l, err := b.Ledger(t.Context()); err != nil || len(l.Accounts) != 1 {
		t.Fatalf("Ledger after the migration = %+v, %v", l, err)
	}
	if diff := cmp.Diff([]string{"20261122-schema1"}, backupsOf(t, path)); diff != "" {
		t.Fatalf("backups (-want +got):\n%s", diff)
	}
	kept := path + ".backup-20261122-schema1"
	if got := ask(t, kept, "PRAGMA user_version"); got != "1" {
		t.Errorf("the backup has schema %s, want that of before", got)
	}
	if got := ask(t, kept, "SELECT name FROM account"); got != "old" {
		t.Errorf("the backup has the account %q", got)
	}
}

func TestBackup_ThatCannotBeMadeIsSaidAndTheChangeGoesOn(t *testing.T) {
	path := portfolioPath(t)
	addTransactions(t, openPortfolio(t, path), "a")
	// The place of the copy is taken by a folder that is not empty.
	if err := os.MkdirAll(filepath.Join(path+".unfinished", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	var notices []string
	b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{
		Now: func() time.Time { return noon }, Notice: func(s string) { notices = append(notices, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	addTransactions(t, b, "b")
	if got := heldPositions(t, b); got != "a b" {
		t.Errorf("the portfolio has %q, want %q", got, "a b")
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "no backup of the portfolio") {
		t.Errorf("notices = %q, want one", notices)
	}
}

// Seven days after the clock was corrected, backups with wrong dates are gone.
func TestBackup_OfAClockThatWasAheadIsNotKeptInThePlaceOfNewOnes(t *testing.T) {
	path := portfolioPath(t)
	addTransactions(t, openPortfolio(t, path), "a")
	for day := range 9 {
		touch(t, fmt.Sprintf("%s.backup-2099010%d", path, day+1))
	}
	b := openPortfolioAt(t, path, noon)
	addTransactions(t, b, "b")
	want := []string{"20261122", "20990104", "20990105", "20990106", "20990107", "20990108", "20990109"}
	if diff := cmp.Diff(want, backupsOf(t, path)); diff != "" {
		t.Errorf("backups (-want +got):\n%s", diff)
	}
}

func TestBackup_WhatOnlyHasTheNameOfOneIsNone(t *testing.T) {
	path := portfolioPath(t)
	addTransactions(t, openPortfolio(t, path), "a")
	other := filepath.Join(t.TempDir(), "other")
	touch(t, other)
	if err := os.Symlink(other, path+".backup-20261122"); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(path+".backup-20200101", 0o700); err != nil {
		t.Fatal(err)
	}
	addTransactions(t, openPortfolioAt(t, path, noon), "b")
	if got := heldPositions(t, openPortfolio(t, path+".backup-20261122")); got != "a" {
		t.Errorf("the backup has %q, want the portfolio as it was", got)
	}
	if info, err := os.Stat(other); err != nil || info.Size() > 10 {
		t.Errorf("the file that the link led to: %v, %v; want it as it was", info, err)
	}
	if _, err := os.Stat(path + ".backup-20200101"); err != nil {
		t.Errorf("the folder is gone: %v", err)
	}
}

func TestBackup_OfADamagedPortfolioIsNoneAndNothingIsWritten(t *testing.T) {
	path, _ := newRuinedStore(t)
	kept := backupsOf(t, path)
	b := openPortfolioAt(t, path, noon.AddDate(0, 0, 5))
	err := b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		t.Error("the change was asked for")
		return portfolio.Change{}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "damaged portfolio "+path) || !strings.Contains(err.Error(), kept[len(kept)-1]) {
		t.Errorf("Update = %v, want it to say that the portfolio is damaged and to name the newest backup", err)
	}
	if diff := cmp.Diff(kept, backupsOf(t, path)); diff != "" {
		t.Errorf("backups (-was +is):\n%s", diff)
	}
}

func TestBackup_ACancelledOneLeavesNothingBehind(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := b.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) { return portfolio.Change{}, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update = %v, want context.Canceled", err)
	}
	if left := append(backupsOf(t, path), globFiles(t, path+".unfinished")...); len(left) != 0 {
		t.Errorf("%q is left", left)
	}
}

func globFiles(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// newRuinedStore creates a portfolio with a backup, damages a part that opening does not read, and returns
// its bytes.
func newRuinedStore(t *testing.T) (path string, broken []byte) {
	t.Helper()
	path = portfolioPath(t)
	b := openPortfolio(t, path)
	var ids []string
	for i := range 400 {
		ids = append(ids, fmt.Sprintf("transaction-%d", i))
	}
	addTransactions(t, b, ids...)
	addTransactions(t, b, "last")
	b.Close()
	broken = alter(t, path, func(whole []byte) []byte {
		at := bytes.Index(whole, []byte(ids[40])) &^ 4095
		for i := at; i < at+4096; i++ {
			whole[i] = 0xa5
		}
		return whole
	})
	return path, broken
}
