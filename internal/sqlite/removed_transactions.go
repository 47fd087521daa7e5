package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// RemovedTransactions lists the transactions that were taken out of the book last, the newest
// first, at most limit of them; all where limit is not above zero. One that is
// added again with Update is back; that it was removed stays on the list.
func (b *PortfolioStore) RemovedTransactions(ctx context.Context, limit int) (_ []RemovedRow, err error) {
	defer b.explainError(&err)
	if limit <= 0 {
		limit = -1 // SQLite's word for all
	}
	var removed []RemovedRow
	err = b.withReadTx(ctx, func(tx *sql.Tx) error {
		removed, err = LoadRemovedTransactions(ctx, tx, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing what was removed: %w", err)
	}
	return removed, nil
}
