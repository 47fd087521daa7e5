package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/nfa-cli/nfa/internal/sqlite/table"
)

// Removed is a transaction that was taken out of the book.
type Removed = table.Removed

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
		all, err = table.LoadRemoved(ctx, tx, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing what was removed: %w", err)
	}
	return all, nil
}
