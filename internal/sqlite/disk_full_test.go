package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// fileRemovals returns the ways in which an open file can disappear. Each is skipped if the system keeps open
// files in their place, which is just as safe.
func fileRemovals() map[string]func(path string) error {
	return map[string]func(path string) error{
		"the file is deleted":   os.Remove,
		"the file is moved":     func(path string) error { return os.Rename(path, path+".old") },
		"the folder is deleted": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"the folder is moved":   func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+".old") },
		"a file is in the place of the folder": func(path string) error {
			return errors.Join(os.RemoveAll(filepath.Dir(path)), os.WriteFile(filepath.Dir(path), nil, 0o600))
		},
		"another is put in its place": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		},
	}
}

// Data written to a file without a name is lost when the program ends.
func TestAppend_ToAFileThatIsGoneIsAnError(t *testing.T) {
	for name, take := range fileRemovals() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "home", "nfa.db")
			store := open(t, path).Sessions()
			if err := store.Create(t.Context(), session.Session{ID: "a"}); err != nil {
				t.Fatal(err)
			}
			if err := take(path); err != nil {
				t.Skip(err)
			}
			for call, err := range map[string]error{
				"Append": store.Append(t.Context(), "a", textEntry()),
				"Create": store.Create(t.Context(), session.Session{ID: "b"}),
				"Delete": store.Delete(t.Context(), "a"),
			} {
				if !errors.Is(err, sqlite.ErrFileMoved) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restart nfa") {
					t.Errorf("%s = %v, want ErrGone, the file and what to do", call, err)
				}
			}
		})
	}
}

func TestBook_OneThatIsGoneTakesNoEntry(t *testing.T) {
	for name, take := range fileRemovals() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "home", "book.db")
			b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{}) // what a backup has to say is no matter here
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			addTransactions(t, b, "a")
			if err := take(path); err != nil {
				t.Skip(err)
			}
			c := portfolio.Change{Add: []portfolio.Transaction{portfoliotest.Purchase("b", "main")}}
			if err := applyChange(t, b, c); !errors.Is(err, sqlite.ErrFileMoved) || !strings.Contains(err.Error(), "restart nfa") {
				t.Errorf("Update = %v, want ErrGone and what to do", err)
			}
			if got := heldPositions(t, b); got != "a" {
				t.Errorf("the portfolio holds %q after a change that was refused, want %q", got, "a")
			}
		})
	}
}
