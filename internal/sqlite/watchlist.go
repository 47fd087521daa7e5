package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
)

var _ journal.Store = (*Book)(nil)

// Watches lists all of them by their symbols.
func (b *Book) Watches(ctx context.Context) (all []journal.Watch, err error) {
	defer b.explain(&err)
	err = b.reading(ctx, func(tx *sql.Tx) error {
		place := map[market.Symbol]int{} // in all
		err := eachRow(ctx, tx, table{"watch", []string{"symbol", "added", "note"}, "symbol"}, func(p *rowParser) {
			w := journal.Watch{Symbol: market.Symbol(p.text()), Added: p.date(), Note: p.text()}
			place[w.Symbol] = len(all)
			all = append(all, w)
		})
		if err != nil {
			return err
		}
		targets := table{"watch_target", []string{"symbol", "side", "price", "currency"}, "symbol, position"}
		return eachRow(ctx, tx, targets, func(p *rowParser) {
			symbol := market.Symbol(p.text())
			t := journal.Target{Side: journal.Side(p.text()), Price: p.decimal().Decimal, Currency: p.text()}
			if i, ok := place[symbol]; ok {
				all[i].Targets = append(all[i].Targets, t)
			}
		})
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
	v := &rowWriter{}
	rows := [][]any{{v.needed("symbol", string(w.Symbol)), v.date("added", w.Added), v.text("note", w.Note)}}
	for i, t := range w.Targets {
		rows = append(rows, []any{string(w.Symbol), i + 1, string(t.Side), v.decimal("price", t.Price), t.Currency})
	}
	if v.err != nil {
		return fmt.Errorf("watching %s: %w: %w", w.Symbol, journal.ErrInvalid, v.err)
	}
	return b.writing(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM watch WHERE symbol = ?", string(w.Symbol)); err != nil {
			return fmt.Errorf("watching %s: %w", w.Symbol, err)
		}
		err := insertAll(ctx, tx, rows, "INSERT INTO watch (symbol, added, note) VALUES (?, ?, ?)",
			"INSERT INTO watch_target (symbol, position, side, price, currency) VALUES (?, ?, ?, ?, ?)")
		if err != nil {
			return fmt.Errorf("watching %s: %w", w.Symbol, err)
		}
		return nil
	})
}

// RemoveWatch takes one away. Where there is none it is ErrNotFound.
func (b *Book) RemoveWatch(ctx context.Context, symbol market.Symbol) error {
	return b.removeEntry(ctx, "DELETE FROM watch WHERE symbol = ?", string(symbol))
}

// insertAll writes the first of rows by head and the others by each.
func insertAll(ctx context.Context, tx *sql.Tx, rows [][]any, head, each string) error {
	statement := head
	for _, row := range rows {
		if _, err := tx.ExecContext(ctx, statement, row...); err != nil {
			return err
		}
		statement = each
	}
	return nil
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
