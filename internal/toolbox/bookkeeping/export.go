package bookkeeping

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/export"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// Export writes the book to w in a format of the export room: csv, json or ledger.
// With the clock set back it is the book of then. A book without a transaction is
// book.ErrEmpty, and nothing is written.
func (d Deps) Export(ctx context.Context, w io.Writer, format string) error {
	f := export.Format(strings.ToLower(strings.TrimSpace(format)))
	if !slices.Contains(export.Formats(), f) {
		return fmt.Errorf("exporting the book: %w %.40q: there are %v", export.ErrFormat, format, export.Formats())
	}
	l, err := d.Store.Ledger(ctx)
	if err != nil {
		return fmt.Errorf("exporting the book: %w", err)
	}
	if today := d.Today(); d.Replay {
		l.Transactions = slices.DeleteFunc(slices.Clone(l.Transactions), func(t portfolio.Transaction) bool { return t.Date.After(today) })
	}
	if len(l.Transactions) == 0 {
		return fmt.Errorf("exporting the book: %w", book.ErrEmpty)
	}
	if err := export.Write(w, l, f); err != nil {
		return fmt.Errorf("exporting the book: %w", err)
	}
	return nil
}
