package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/sqlite"
)

// A missing portfolio is not replaced by an empty one.
func TestOpenPortfolioStore_AMissingPortfolioIsNotStartedAgain(t *testing.T) {
	for _, row := range []struct {
		name  string
		trace string // what is left of it
		want  string
	}{
		{"a backup", "book.db.backup-20261122", "book.db.backup-20261122"},
		{"its lock file", "book.db.lock", "there is no backup"},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "book.db")
			if row.trace != "" {
				trace, earlier := filepath.Join(filepath.Dir(path), row.trace), time.Now().Add(-time.Hour)
				if err := errors.Join(os.WriteFile(trace, []byte("x"), 0o600), os.Chtimes(trace, earlier, earlier)); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				store, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{})
				if row.want == "" {
					if err != nil {
						t.Fatal(err)
					}
					_ = store.Close()
					return
				}
				if !errors.Is(err, sqlite.ErrPortfolioMissing) || !strings.Contains(err.Error(), row.want) {
					t.Errorf("OpenPortfolioStore = %v, want it missing, and %q", err, row.want)
				}
				if _, err := os.Stat(path); err == nil {
					t.Error("a new file was created")
				}
			}
		})
	}
}
