package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// filesOf returns the files of a portfolio, without its lock, backups and mark.
func filesOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, suffix := range []string{"", "-wal", "-journal"} {
		b, err := os.ReadFile(path + suffix)
		if err == nil && len(b) > 0 {
			all[suffix] = b
		}
	}
	return all
}

func TestOpenPortfolioStore_ADamagedPortfolioIsRefusedAndKeepsEveryByte(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"text": func(t *testing.T, path string) {
			alter(t, path, func([]byte) []byte { return []byte(strings.Repeat("not a book ", 500)) })
		},
		"torn in the first block": func(t *testing.T, path string) { alter(t, path, func(b []byte) []byte { return b[:30] }) },
		"torn in the middle":      func(t *testing.T, path string) { alter(t, path, func(b []byte) []byte { return b[:len(b)/2+7] }) },
		"header destroyed": func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { copy(b, "garbage garbage"); return b })
		},
		"schema destroyed": func(t *testing.T, path string) {
			alter(t, path, func(b []byte) []byte { copy(b[100:], bytes.Repeat([]byte{0xff}, 3996)); return b })
		},
		"of another program": func(t *testing.T, path string) { os.Remove(path); execute(t, path, "CREATE TABLE bookmark (url)") },
		"of the sessions":    func(t *testing.T, path string) { os.Remove(path); open(t, path).Close() },
		"of the bars": func(t *testing.T, path string) {
			os.Remove(path)
			bars, err := sqlite.OpenBars(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			bars.Close()
		},
		"version lost":       func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version = 0") },
		"version impossible": func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version = 12345678") },
		"tables lost":        func(t *testing.T, path string) { execute(t, path, "DROP TABLE lot_pick") },
		"a column renamed":   func(t *testing.T, path string) { execute(t, path, "ALTER TABLE account RENAME owner TO holder") },
		"emptied":            func(t *testing.T, path string) { alter(t, path, func([]byte) []byte { return nil }) },
		"gone, with a log":   func(t *testing.T, path string) { os.Remove(path); touchWith(t, path+"-wal", "the last words") },
		"emptied, with a log": func(t *testing.T, path string) {
			alterEmptied(t, path)
		},
		"a log beside the damage": func(t *testing.T, path string) {
			b := openPortfolio(t, path)
			ids := make([]string, 300)
			for i := range ids {
				ids[i] = fmt.Sprint("in-the-file-", i)
			}
			addTransactions(t, b, ids...)
			b.Close()
			b = openPortfolio(t, path)
			addTransactions(t, b, "in-the-log")
			// As after a kill: the latest changes are only in the log.
			killed := portfolioPath(t)
			copyFile(t, path, killed)
			copyFile(t, path+"-wal", killed+"-wal")
			b.Close()
			alter(t, killed, func(all []byte) []byte {
				at := bytes.Index(all, []byte(ids[150])) &^ 4095
				copy(all[at:], bytes.Repeat([]byte{0xa5}, 4096))
				return all
			})
			copyFile(t, killed, path)
			copyFile(t, killed+"-wal", path+"-wal")
			touch(t, path+".suspect")
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := portfolioPath(t)
			b := openPortfolio(t, path)
			addTransactions(t, b, "a", "b")
			addTransactions(t, b, "c") // makes a backup
			b.Close()
			damage(t, path)
			before := filesOf(t, path)
			for range 2 {
				b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{Notice: func(s string) { t.Errorf("notice: %s", s) }})
				if err == nil {
					b.Close()
					t.Fatal("OpenPortfolioStore = nil, want the damage said")
				}
				for _, want := range []string{"damaged portfolio " + path, "nothing was changed", path + ".backup-20261122"} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("OpenPortfolioStore = %v\n without %q", err, want)
					}
				}
			}
			after := filesOf(t, path)
			for suffix := range before {
				if !bytes.Equal(before[suffix], after[suffix]) {
					t.Errorf("book.db%s has changed", suffix)
				}
			}
			if len(before) != len(after) {
				t.Errorf("%d files with something in them, there were %d", len(after), len(before))
			}
			restoreBackup(t, path)
		})
	}
}

// restoreBackup does what the error says.
func restoreBackup(t *testing.T, path string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Rename(path+suffix, path+".away"+suffix)
	}
	copyFile(t, path+".backup-20261122", path)
	if got := heldPositions(t, openPortfolio(t, path)); got != "a b" {
		t.Errorf("the portfolio of the backup has %q, want %q", got, "a b")
	}
}

func touchWith(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpenPortfolioStore_WithoutABackupItSaysSo(t *testing.T) {
	path := portfolioPath(t)
	touchWith(t, path, strings.Repeat("not a book ", 500))
	_, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{})
	if err == nil || !strings.Contains(err.Error(), "there is no backup") {
		t.Errorf("OpenPortfolioStore = %v, want it to say that there is no backup", err)
	}
}

func TestBook_DamageMetInUseIsSaidAtEveryStartAfter(t *testing.T) {
	path, broken := newRuinedStore(t)
	b := openPortfolio(t, path)
	if _, err := b.Ledger(t.Context()); err == nil || !strings.Contains(err.Error(), "damaged portfolio") {
		t.Fatalf("Ledger = %v, want the damage said", err)
	}
	if n := strings.Count(errorOf(b.Ledger(t.Context())), "damaged portfolio"); n != 1 {
		t.Errorf("it is said %d times in one error", n)
	}
	b.Close()
	for range 2 {
		if _, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{}); err == nil || !strings.Contains(err.Error(), "damaged portfolio") {
			t.Errorf("OpenPortfolioStore = %v, want the damage said again", err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, broken) {
		t.Errorf("the file has changed (%v)", err)
	}
	copyFile(t, path+".backup-20261122", path)
	if got := heldPositions(t, openPortfolio(t, path)); !strings.Contains(got, "transaction-399") {
		t.Error("the backup does not take its place")
	}
	if _, err := os.Stat(path + ".suspect"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the mark is still there: %v", err)
	}
}

func errorOf(_ portfolio.Ledger, err error) string { return err.Error() }

// However a portfolio file is damaged, it is never replaced: opening and using it leaves the file
// itself, never an empty one in its place.
func TestOpenBook_AfterRandomDamageNothingIsReplaced(t *testing.T) {
	whole := portfolioPath(t)
	b := openPortfolio(t, whole)
	addTransactions(t, b, "a", "b", "c")
	b.Close()
	bytesOf, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	refused := 0
	for i := range 60 {
		broken := bytes.Clone(bytesOf)
		for range 1 << random.IntN(12) {
			broken[random.IntN(len(broken))] = byte(random.Uint32())
		}
		path := portfolioPath(t)
		touchWith(t, path, string(broken))
		b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{Now: func() time.Time { return noon }})
		if err != nil {
			refused++
			if now, _ := os.ReadFile(path); !bytes.Equal(now, broken) {
				t.Errorf("round %d: refused as %v, but the file has changed", i, err)
			}
			continue
		}
		if l, err := b.Ledger(t.Context()); err == nil && len(l.Transactions) == 0 {
			t.Errorf("round %d: an empty portfolio", i)
		}
		b.Close()
		if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 0 {
			t.Errorf("round %d: it was set aside as %v", i, aside)
		}
	}
	if refused < 10 {
		t.Errorf("%d of 60 were refused: the damage is too mild to test anything", refused)
	}
}

func TestOpenPortfolioStore_ANewerPortfolioKeepsEveryByte(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	b.Close()
	execute(t, path, "PRAGMA journal_mode = DELETE")
	execute(t, path, "PRAGMA user_version = 999")
	before := filesOf(t, path)
	if _, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewer) || strings.Contains(err.Error(), "damaged") {
		t.Fatalf("OpenPortfolioStore = %v, want ErrNewer", err)
	}
	if after := filesOf(t, path); !bytes.Equal(before[""], after[""]) {
		t.Error("the file has changed")
	}
}

// The program was left open while a newer one was installed and run.
func TestPortfolioStore_ThatANewerProgramTookOverIsNeitherReadNorWrittenTo(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	was := ask(t, path, "PRAGMA user_version")
	if err := attempt(path, "PRAGMA user_version = 90"); err != nil {
		t.Fatal(err)
	}
	if err := applyChange(t, b, portfolio.Change{Remove: []string{"a"}}); !errors.Is(err, sqlite.ErrNewer) {
		t.Errorf("Update = %v, want ErrNewer", err)
	}
	if _, err := b.Ledger(t.Context()); !errors.Is(err, sqlite.ErrNewer) {
		t.Errorf("Ledger = %v, want ErrNewer", err)
	}
	if err := attempt(path, "PRAGMA user_version = "+was); err != nil {
		t.Fatal(err)
	}
	if got := heldPositions(t, b); got != "a" {
		t.Errorf("the portfolio = %q, want it as it was", got)
	}
}

func TestBook_AFullDiskLeavesItAsItWas(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	if err := b.LimitPages(t.Context(), 40); err != nil {
		t.Fatal(err)
	}
	var c portfolio.Change
	for i := range 2000 {
		c.Add = append(c.Add, importOf(portfolio.Ledger{}, "line", i, i+1).Add...)
	}
	c.Remove = []string{"a"}
	err := applyChange(t, b, c)
	if err == nil || !strings.Contains(err.Error(), "not enough disk space for "+path) {
		t.Fatalf("Update on a full disk = %v, want that said", err)
	}
	if got := heldPositions(t, b); got != "a" {
		t.Errorf("the portfolio has %q, want it as it was", got)
	}
	addTransactions(t, b, "b") // a small one fits
	b.Close()
	if got := heldPositions(t, openPortfolio(t, path)); got != "a b" {
		t.Errorf("the portfolio has %q, want %q", got, "a b")
	}
}

func TestPortfolioStore_WaitsForAnotherProgramAsLongAsItMay(t *testing.T) {
	path := portfolioPath(t)
	b := openPortfolio(t, path)
	addTransactions(t, b, "a")
	other := holdLock(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	err := b.Update(ctx, func(portfolio.Ledger) (portfolio.Change, error) {
		t.Error("the change was asked for while another program writes")
		return portfolio.Change{}, nil
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Update = %v, want context.DeadlineExceeded", err)
	}
	if got := heldPositions(t, b); got != "a" {
		t.Errorf("the portfolio has %q while another program writes, want it readable", got)
	}
	b.SetShortTimeout(t.Context())
	if err := applyChange(t, b, portfolio.Change{}); err == nil || !strings.Contains(err.Error(), "another program is writing to "+path) {
		t.Errorf("Update = %v, want it to say what it waited for", err)
	}
	other()
	addTransactions(t, b, "b")
}
