package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// book says where the book is, whether it is sound and what it holds, and when it was
// backed up last. It makes none.
func book(ctx context.Context, path string, now func() time.Time) Finding {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return ok("book", "none yet", "to begin one: nfa portfolio import FILE, or nfa portfolio add")
	}
	ledger, err := readWhole(ctx, path, now)
	backup := newestBackup(path)
	switch {
	case err != nil && (errors.Is(err, sqlite.ErrNewer) || errors.Is(err, sqlite.ErrDamagedBook)):
		return problem("book", err.Error(), "") // it names the backup itself
	case err != nil:
		return problem("book", fmt.Sprintf("%s: %v", path, err), backup)
	case ledger.unsound != nil:
		return problem("book", fmt.Sprintf("the entries in %s do not hold together: %v", path, ledger.unsound), "nfa portfolio list shows them, nfa portfolio remove takes one out; "+backup)
	}
	return ok("book", fmt.Sprintf("%s, of %s, in %s", console.Count(ledger.entries, "entry"), console.Count(ledger.accounts, "account"), path), backup)
}

// ledgerRead is what there is to say of a book that was read whole.
type ledgerRead struct {
	entries, accounts int
	unsound           error // what keeps its entries from holding together
}

func readWhole(ctx context.Context, path string, now func() time.Time) (ledgerRead, error) {
	// To open it may bring its tables up to date, which is not left half done.
	b, err := sqlite.OpenBook(context.WithoutCancel(ctx), path, sqlite.Options{Now: now, Notice: func(string) {}})
	if err != nil {
		return ledgerRead{}, err
	}
	defer func() { _ = b.Close() }()
	if err := b.Check(ctx); err != nil {
		return ledgerRead{}, err
	}
	l, err := b.Ledger(ctx)
	if err != nil {
		return ledgerRead{}, err
	}
	return ledgerRead{len(l.Transactions), len(l.Accounts), replay.Check(l)}, nil
}

// newestBackup names the copy to go back to.
func newestBackup(path string) string {
	kept, err := sqlite.BookBackups(path)
	switch {
	case err != nil:
		return err.Error()
	case len(kept) == 0:
		return "no backup yet: one is made before the first change of each later day"
	}
	return "newest backup: " + kept[0]
}
