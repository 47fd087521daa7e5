package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// batchRows go into one statement of an import: to ask SQLite for a row costs about
// half of what it costs to write one.
const batchRows = 64

// An import writes all over the indexes, which SQLite's own two megabytes do not
// hold: it would write the same pages again and again.
const (
	largeImportRows    = 5000
	largeCachePragma   = "PRAGMA cache_size = -65536" // KiB
	defaultCachePragma = "PRAGMA cache_size = -2000"  // SQLite's own
)

func addTransactions(ctx context.Context, tx *sql.Tx, add []portfolio.Transaction, now string) error {
	if len(add) == 0 {
		return nil
	}
	if len(add) >= largeImportRows {
		if _, err := tx.ExecContext(ctx, largeCachePragma); err != nil {
			return fmt.Errorf("adding transactions: %w", err)
		}
		// Where the call has ended already, the connection may keep more pages, no more.
		defer tx.ExecContext(context.WithoutCancel(ctx), defaultCachePragma)
	}
	names := append(transactionColumns(), "recorded_at")
	single, err := tx.PrepareContext(ctx, insertStatement("transactions", names, 1))
	if err != nil {
		return fmt.Errorf("adding transactions: %w", markDamaged(err))
	}
	defer single.Close()
	batch := &bulkInserter{tx: tx, names: names, used: make([]bool, len(names)), now: now}
	defer batch.close()
	for len(add) > 0 {
		n := batchSize(add)
		written, err := batch.add(ctx, add[:n])
		if err != nil {
			return fmt.Errorf("adding transactions %s to %s: %w", add[0].ID, add[n-1].ID, err)
		}
		if written {
			add = add[n:]
			continue
		}
		for _, t := range add[:n] {
			if err := addTransaction(ctx, tx, single, t, now); err != nil {
				return fmt.Errorf("adding transaction %s: %w", t.ID, err)
			}
		}
		add = add[n:]
	}
	return nil
}

// batchSize is how many of the first transactions may go into one statement. One that
// names lots goes alone: they are written beside the number of its row.
func batchSize(add []portfolio.Transaction) int {
	for i := range add[:min(len(add), batchRows)] {
		if len(add[i].Lots) > 0 {
			return max(i, 1)
		}
	}
	return min(len(add), batchRows)
}

// bulkInserter writes batchRows rows with one statement.
type bulkInserter struct {
	tx    *sql.Tx
	names []string
	now   string
	// used are the columns that a row so far has had. Those that none has are left to
	// their defaults: for most files that is half of them. It only grows, so that the
	// statement is prepared a few times at most.
	used []bool
	stmt *sql.Stmt // of used; nil before the first row, and when used has grown
}

// add writes all of batchRows transactions and reports true, or writes none: fewer
// than those, and those of which one cannot be recorded, are for a statement each,
// which says why.
func (b *bulkInserter) add(ctx context.Context, all []portfolio.Transaction) (written bool, err error) {
	if len(all) != batchRows {
		return false, nil
	}
	rows := make([][]any, len(all))
	for i, t := range all {
		if t.Validate() != nil {
			return false, nil
		}
		row, err := transactionRow(t)
		if err != nil {
			return false, nil
		}
		rows[i] = append(row, b.now)
		b.markUsed(rows[i])
	}
	if err := b.prepare(ctx); err != nil {
		return false, err
	}
	if _, err := b.stmt.ExecContext(ctx, b.values(rows)...); err != nil {
		// SQLite undoes the whole statement, and nothing but the statement.
		if errorCode(err)&0xff == sqlite3.SQLITE_CONSTRAINT {
			return false, nil
		}
		return false, err
	}
	return true, nil
}

func (b *bulkInserter) markUsed(row []any) {
	for i, v := range row {
		if !b.used[i] && v != nil && v != false {
			b.used[i] = true
			b.close()
		}
	}
}

func (b *bulkInserter) prepare(ctx context.Context) (err error) {
	if b.stmt != nil {
		return nil
	}
	var names []string
	for i, name := range b.names {
		if b.used[i] {
			names = append(names, name)
		}
	}
	b.stmt, err = b.tx.PrepareContext(ctx, insertStatement("transactions", names, batchRows))
	return markDamaged(err)
}

func (b *bulkInserter) values(rows [][]any) []any {
	all := make([]any, 0, len(rows)*len(b.names))
	for _, row := range rows {
		for i, v := range row {
			if b.used[i] {
				all = append(all, v)
			}
		}
	}
	return all
}

func (b *bulkInserter) close() {
	if b.stmt != nil {
		b.stmt.Close()
		b.stmt = nil
	}
}

func addTransaction(ctx context.Context, tx *sql.Tx, insert *sql.Stmt, t portfolio.Transaction, now string) error {
	if err := t.Validate(); err != nil {
		return err
	}
	row, err := transactionRow(t)
	if err != nil {
		return fmt.Errorf("%w: %w", portfolio.ErrInvalid, err)
	}
	added, err := insert.ExecContext(ctx, append(row, now)...)
	if err != nil {
		return explainRefusal(ctx, tx, t, err)
	}
	if len(t.Lots) == 0 {
		return nil
	}
	seq, err := added.LastInsertId()
	if err != nil {
		return err
	}
	for i, pick := range t.Lots {
		w := &rowWriter{}
		lot, quantity := w.text("lot", pick.Lot), w.decimal("quantity", pick.Quantity)
		if w.err != nil {
			return fmt.Errorf("%w: naming lots: %w", portfolio.ErrInvalid, w.err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO lot_pick VALUES (?, ?, ?, ?)", seq, i+1, lot, quantity); err != nil {
			return fmt.Errorf("lot %q: %w", pick.Lot, err)
		}
	}
	return nil
}
