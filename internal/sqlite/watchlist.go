package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlite/table"
)

var _ journal.Store = (*Book)(nil)

// Watches lists all of them by their symbols.
func (b *Book) Watches(ctx context.Context) (all []journal.Watch, err error) {
	defer b.explain(&err)
	err = b.reading(ctx, func(tx *sql.Tx) error {
		all, err = table.LoadWatches(ctx, tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the watchlist: %w", err)
	}
	return all, nil
}

// PutWatch adds w, or puts it in the place of that of its symbol.
func (b *Book) PutWatch(ctx context.Context, w journal.Watch) error {
	if err := w.Validate(); err != nil {
		return err
	}
	entry, err := table.WatchOf(w)
	if err != nil {
		return fmt.Errorf("watching %s: %w: %w", w.Symbol, journal.ErrInvalid, err)
	}
	return b.writing(ctx, func(tx *sql.Tx) error {
		if err := entry.Put(ctx, tx); err != nil {
			return fmt.Errorf("watching %s: %w", w.Symbol, err)
		}
		return nil
	})
}

// RemoveWatch takes one away. Where there is none it is ErrNotFound.
func (b *Book) RemoveWatch(ctx context.Context, symbol market.Symbol) error {
	return b.removeEntry(ctx, "DELETE FROM watch WHERE symbol = ?", string(symbol))
}

// removeEntry takes out the entry of the journal that a statement finds by name.
func (b *Book) removeEntry(ctx context.Context, statement, name string) error {
	return b.writing(ctx, func(tx *sql.Tx) error {
		gone, err := tx.ExecContext(ctx, statement, name)
		if err != nil {
			return fmt.Errorf("removing %s: %w", name, err)
		}
		if n, err := gone.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("removing %.64q: %w", name, cmp.Or(err, journal.ErrNotFound))
		}
		return nil
	})
}
