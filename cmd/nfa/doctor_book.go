package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// checkBook says where the book is, whether it is sound and what it holds, and when
// it was backed up last. It makes none.
func checkBook(ctx context.Context, home string) check {
	b := newBookStore(home, func(string) {})
	defer func() { _ = b.close() }()
	if _, err := os.Lstat(b.path); os.IsNotExist(err) {
		return check{"book", statusOK, "none yet", "to begin one: nfa portfolio import FILE, or nfa portfolio add"}
	}
	ledger, err := read(ctx, b, ledgerRead{}, readWholly(ctx))
	backup := newestBackup(b.path)
	switch {
	case err != nil && (errors.Is(err, sqlite.ErrNewer) || errors.Is(err, sqlite.ErrDamagedBook)):
		return check{"book", statusProblem, err.Error(), ""} // it names the backup itself
	case err != nil:
		return check{"book", statusProblem, fmt.Sprintf("%s: %v", b.path, err), backup}
	case ledger.unsound != nil:
		return check{"book", statusProblem, fmt.Sprintf("the entries in %s do not hold together: %v", b.path, ledger.unsound), "nfa portfolio list shows them, nfa portfolio remove takes one out; " + backup}
	}
	return check{"book", statusOK, fmt.Sprintf("%s, of %s, in %s", console.Count(ledger.entries, "entry"), console.Count(ledger.accounts, "account"), b.path), backup}
}

// ledgerRead is what there is to say of a book that was read whole.
type ledgerRead struct {
	entries, accounts int
	unsound           error // what keeps its entries from holding together
}

func readWholly(ctx context.Context) func(*sqlite.Book) (ledgerRead, error) {
	return func(b *sqlite.Book) (ledgerRead, error) {
		if err := b.Check(ctx); err != nil {
			return ledgerRead{}, err
		}
		l, err := b.Ledger(ctx)
		if err != nil {
			return ledgerRead{}, err
		}
		return ledgerRead{len(l.Transactions), len(l.Accounts), replay.Check(l)}, nil
	}
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
