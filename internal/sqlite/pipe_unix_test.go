//go:build unix

package sqlite_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/sqlite"
)

// Opening a pipe waits for its other end, and no signal interrupts that.
func TestOpenPortfolioStore_APipeIsRefusedAtOnce(t *testing.T) {
	for _, end := range []string{"", ".lock"} {
		t.Run("book.db"+end, func(t *testing.T) {
			path := portfolioPath(t)
			if err := syscall.Mkfifo(path+end, 0o600); err != nil {
				t.Skip(err)
			}
			b, err := sqlite.OpenPortfolioStore(t.Context(), path, sqlite.Options{})
			if err == nil {
				b.Close()
			}
			if err == nil || !strings.Contains(err.Error(), path+end+": not a regular file") {
				t.Errorf("OpenPortfolioStore = %v, want that it is not a regular file", err)
			}
		})
	}
}
