package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

var _ investor.JournalStore = (*PortfolioStore)(nil)

// Watches lists all of them by their symbols.
func (b *PortfolioStore) Watches(ctx context.Context) (all []investor.WatchedSymbol, err error) {
	defer b.explainError(&err)
	err = b.withReadTx(ctx, func(tx *sql.Tx) error {
		all, err = LoadWatches(ctx, tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the watchlist: %w", err)
	}
	return all, nil
}

// PutWatch adds w, or puts it in the place of that of its symbol.
func (b *PortfolioStore) PutWatch(ctx context.Context, w investor.WatchedSymbol) error {
	if err := w.Validate(); err != nil {
		return err
	}
	entry, err := WatchEntry(w)
	if err != nil {
		return fmt.Errorf("watching %s: %w: %w", w.Symbol, investor.ErrInvalidEntry, err)
	}
	return b.withWriteTx(ctx, func(tx *sql.Tx) error {
		if err := entry.Put(ctx, tx); err != nil {
			return fmt.Errorf("watching %s: %w", w.Symbol, err)
		}
		return nil
	})
}

// RemoveWatch takes one away. Where there is none it is ErrNotFound.
func (b *PortfolioStore) RemoveWatch(ctx context.Context, symbol market.Symbol) error {
	return b.removeEntry(ctx, "DELETE FROM watch WHERE symbol = ?", string(symbol))
}

// removeEntry takes out the entry of the journal that a statement finds by name.
func (b *PortfolioStore) removeEntry(ctx context.Context, statement, name string) error {
	return b.withWriteTx(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, statement, name)
		if err != nil {
			return fmt.Errorf("removing %s: %w", name, err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("removing %.64q: %w", name, cmp.Or(err, investor.ErrEntryNotFound))
		}
		return nil
	})
}
