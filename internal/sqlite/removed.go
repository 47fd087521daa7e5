package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Removed is a transaction that was taken out of the book.
type Removed struct {
	Transaction portfolio.Transaction
	At          time.Time
}

// Removed lists the transactions that were taken out of the book last, the newest
// first, at most limit of them; all where limit is not above zero. One that is
// added again with Update is back; that it was removed stays on the list.
func (b *Book) Removed(ctx context.Context, limit int) (_ []Removed, err error) {
	defer b.explain(&err)
	if limit <= 0 {
		limit = -1 // SQLite's word for all
	}
	var all []Removed
	err = b.reading(ctx, func(tx *sql.Tx) error {
		all, err = loadRemoved(ctx, tx, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing what was removed: %w", err)
	}
	return all, nil
}

func loadRemoved(ctx context.Context, tx *sql.Tx, limit int) ([]Removed, error) {
	rows, err := tx.QueryContext(ctx, "SELECT seq, removed_at, "+joined(transactionColumns())+` FROM transactions
		WHERE removed_at IS NOT NULL ORDER BY removed_at DESC, seq DESC LIMIT ?`, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Removed
	place := map[int64]int{} // in all, by row
	parse := newRowParser()
	for rows.Next() {
		var seq int64
		var at, row string
		if err := rows.Scan(&seq, &at, &row); err != nil {
			return nil, err
		}
		r := Removed{}
		if r.Transaction, err = parse.transaction(seq, row); err != nil {
			return nil, err
		}
		if r.At, err = time.Parse(time.RFC3339, at); err != nil {
			return nil, fmt.Errorf("row %d of transactions: removed_at %q is not a moment", seq, at)
		}
		place[seq] = len(all)
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, loadPicks(ctx, tx, func(seq int64) *portfolio.Transaction {
		at, ok := place[seq]
		if !ok {
			return nil
		}
		return &all[at].Transaction
	})
}
