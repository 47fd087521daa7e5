package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// RemovedTransactions lists the transactions that were removed last, the newest first, at most
// limit of them; all where limit is not above zero. A transaction that is added again with Update
// is in the ledger again and stays on this list.
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
