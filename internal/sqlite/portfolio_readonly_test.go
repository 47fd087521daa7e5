package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// makeReadOnly removes write permission, or skips the test if modes do not restrict the user.
func makeReadOnly(t *testing.T, path string) {
	t.Helper()
	folder := filepath.Dir(path)
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	if err := errors.Join(os.Chmod(path, 0o400), os.Chmod(folder, 0o500)); err != nil {
		t.Fatal(err)
	}
	if probe, err := os.Create(filepath.Join(folder, "probe")); err == nil {
		_ = probe.Close()
		t.Skip("modes keep nobody from writing here: this is root, or no file system of Unix")
	}
}

func TestOpenPortfolioStore_OneThatCannotBeWrittenToIsRead(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a", "b")
	b.Close()
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	before := filesOf(t, path)
	makeReadOnly(t, path)
	b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{Notice: func(s string) { t.Errorf("notice: %s", s) }})
	if err != nil {
		t.Fatalf("OpenPortfolioStore = %v, want it to be read", err)
	}
	defer b.Close()
	if l, err := b.Ledger(t.Context()); err != nil || len(l.Transactions) != 2 {
		t.Errorf("Ledger = %d transactions, %v; want 2", len(l.Transactions), err)
	}
	if err := b.Check(t.Context()); err != nil {
		t.Errorf("Check = %v", err)
	}
	err = b.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("new")}}, nil
	})
	if err == nil || !strings.Contains(err.Error(), "is read-only") || strings.Count(err.Error(), "--home or NFA_HOME") != 1 {
		t.Errorf("Update = %v, want what to do, once", err)
	}
	if after := filesOf(t, path); len(after) != len(before) || !bytes.Equal(after[""], before[""]) {
		t.Error("the file has changed")
	}
}

// A program that was killed left a log, without which the ledger is incomplete.
func TestOpenPortfolioStore_ALogThatCannotBeReadIsNotLeftOut(t *testing.T) {
	live, path := portfolioPath(t), portfolioPath(t)
	b := openPortfolio(t, live)
	addTransactions(t, b, "in-the-log")
	copyFile(t, live, path)
	copyFile(t, live+"-wal", path+"-wal")
	b.Close()
	makeReadOnly(t, path)
	if b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{}); err == nil {
		defer b.Close()
		if l, err := b.Ledger(t.Context()); err != nil || len(l.Transactions) != 1 {
			t.Errorf("Ledger = %d transactions, %v; want that of the log, or none at all", len(l.Transactions), err)
		}
	} else if !strings.Contains(err.Error(), "is in its log") || !strings.Contains(err.Error(), "--home or NFA_HOME") {
		t.Errorf("OpenPortfolioStore = %v, want why, and what to do", err)
	}
}

// Nobody can write to a path below a regular file, not even root.
func TestOpenPortfolioStore_WhereNoneCanBeMadeSaysWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	touch(t, file)
	_, err := sqlite.OpenPortfolioStore(t.Context(), filepath.Join(file, "home", "book.db"), sqlite.Options{})
	if err == nil || !strings.Contains(err.Error(), "is read-only") || !strings.Contains(err.Error(), "choose another data folder") {
		t.Errorf("OpenPortfolioStore below a file = %v, want what to do", err)
	}
}

func TestOpenPortfolioStore_ANewerOneNamesTheBackupThatThisOneReads(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	b.Close()
	copyFile(t, path, path+".backup-20261120-schema2")
	copyFile(t, path, path+".backup-20261121")
	execute(t, path, "PRAGMA user_version = 77")
	_, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{})
	if !errors.Is(err, sqlite.ErrNewer) || !strings.Contains(err.Error(), path+".backup-20261120-schema2") || strings.Contains(err.Error(), "20261121") {
		t.Errorf("OpenPortfolioStore = %v, want ErrNewer with the copy that was made before the tables changed", err)
	}
	kept, err := sqlite.PortfolioBackups(path)
	if err != nil || len(kept) != 2 || kept[0] != path+".backup-20261121" {
		t.Errorf("PortfolioBackups = %q, %v; want both, the newest first", kept, err)
	}
}

// Damage in pages that opening does not touch is found by reading all of them.
func TestPortfolioStore_CheckReadsTheWholeFile(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	ids := make([]string, 300)
	for i := range ids {
		ids[i] = fmt.Sprintf("entry-number-%d", i)
	}
	addTransactions(t, b, ids...)
	if err := b.Check(t.Context()); err != nil {
		t.Fatalf("Check of a sound portfolio = %v", err)
	}
	b.Close()
	alter(t, path, func(all []byte) []byte {
		at := bytes.Index(all, []byte(ids[150])) &^ 4095
		copy(all[at:], bytes.Repeat([]byte{0xa5}, 4096))
		return all
	})
	b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{})
	if err == nil {
		defer b.Close()
		err = b.Check(t.Context())
	}
	if !errors.Is(err, sqlite.ErrPortfolioDamaged) {
		t.Errorf("Check = %v, want ErrPortfolioDamaged", err)
	}
}
