package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

type txBeginner interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// inTransaction does all of what change does, or nothing.
func (d *DB) inTransaction(ctx context.Context, change func(*sql.Tx) error) error {
	return d.transact(ctx, d.db, change)
}

func (d *DB) transact(ctx context.Context, b txBeginner, change func(*sql.Tx) error) error {
	tx, err := b.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a commit there is nothing to roll back
	if err := change(tx); err != nil {
		return err
	}
	if err := d.checkNotMoved(); err != nil {
		return err
	}
	return tx.Commit()
}

// inDurableTransaction is inTransaction for what also has to outlive a power cut: it returns
// when the disk has it.
func (d *DB) inDurableTransaction(ctx context.Context, change func(*sql.Tx) error) error {
	return d.withPragma(ctx, "synchronous = FULL", "synchronous = NORMAL", func(conn *sql.Conn) error {
		return d.transact(ctx, conn, change)
	})
}

// inErasingTransaction is inTransaction for what must not be left in the file once it is
// deleted: the place is overwritten, and the log that still has it is emptied.
func (d *DB) inErasingTransaction(ctx context.Context, change func(*sql.Tx) error) error {
	return d.withPragma(ctx, "secure_delete = ON", "secure_delete = FAST", func(conn *sql.Conn) error {
		if err := d.transact(ctx, conn, change); err != nil {
			return err
		}
		// Where a reader of another process stays in the way, it is emptied later.
		_, err := conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	})
}

// withPragma runs do on the one connection while a pragma is set otherwise. SQLite
// takes these outside of transactions only.
func (d *DB) withPragma(ctx context.Context, set, reset string, do func(*sql.Conn) error) (err error) {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() // gives it back to the pool
	defer func() {
		_, resetErr := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA "+reset)
		err = errors.Join(err, resetErr)
	}()
	if _, err := conn.ExecContext(ctx, "PRAGMA "+set); err != nil {
		return err
	}
	return do(conn)
}
