package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// RemovedRow is a transaction that was removed from the ledger.
type RemovedRow struct {
	Transaction portfolio.Transaction
	At          time.Time
}

// LoadRemovedTransactions lists what was taken out last, the newest first, at most limit of them;
// all where limit is below zero.
func LoadRemovedTransactions(ctx context.Context, tx *sql.Tx, limit int) ([]RemovedRow, error) {
	rows, err := tx.QueryContext(ctx, "SELECT seq, removed_at, "+concatColumns(transactionColumns())+` FROM transactions
		WHERE removed_at IS NOT NULL ORDER BY removed_at DESC, seq DESC LIMIT ?`, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []RemovedRow
	place := map[int64]int{} // in all, by row
	parse := newRowParser()
	for rows.Next() {
		var seq int64
		var removedAt, row string
		if err := rows.Scan(&seq, &removedAt, &row); err != nil {
			return nil, err
		}
		r := RemovedRow{}
		if r.Transaction, err = parse.transaction(seq, row); err != nil {
			return nil, err
		}
		if r.At, err = time.Parse(time.RFC3339, removedAt); err != nil {
			return nil, fmt.Errorf("row %d of transactions: removed_at %q is not a moment", seq, removedAt)
		}
		place[seq] = len(all)
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return all, loadPicks(ctx, tx, func(seq int64) *portfolio.Transaction {
		removedAt, ok := place[seq]
		if !ok {
			return nil
		}
		return &all[removedAt].Transaction
	})
}
