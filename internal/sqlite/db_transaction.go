package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// sessionEngine runs transactions that survive the death of the process.
type sessionEngine struct{ *DB }

func (e sessionEngine) Read(ctx context.Context, do func(sqlstore.Tx) error) (err error) {
	defer e.explainError(&err)
	tx, err := e.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // it only reads
	return do(tx)
}

func (e sessionEngine) Write(ctx context.Context, do func(sqlstore.Tx) error) (err error) {
	defer e.explainError(&err)
	return e.inTransaction(ctx, do)
}

func (e sessionEngine) Erase(ctx context.Context, do func(sqlstore.Tx) error) (err error) {
	defer e.explainError(&err)
	return e.inErasingTransaction(ctx, do)
}

func (sessionEngine) Refusal(err error) error { return refusal(err) }

func (sessionEngine) Now() time.Time { return time.Now() }

// durableEngine runs transactions that survive a power loss.
type durableEngine struct{ sessionEngine }

func (e durableEngine) Write(ctx context.Context, do func(sqlstore.Tx) error) (err error) {
	defer e.explainError(&err)
	return e.inDurableTransaction(ctx, do)
}

// refusal returns the rule of the tables that a statement broke, or nil.
func refusal(err error) error {
	switch errorCode(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return sqlstore.ErrUnique
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return sqlstore.ErrForeign
	case sqlite3.SQLITE_CONSTRAINT_CHECK, sqlite3.SQLITE_CONSTRAINT_NOTNULL:
		return sqlstore.ErrCheck
	}
	return nil
}

type txBeginner interface {
	BeginTx(ctx context.Context, opts *sql.TxOptions) (*sql.Tx, error)
}

// inTransaction applies all of change, or nothing.
func (d *DB) inTransaction(ctx context.Context, change func(sqlstore.Tx) error) error {
	return d.transact(ctx, d.db, change)
}

func (d *DB) transact(ctx context.Context, b txBeginner, change func(sqlstore.Tx) error) error {
	if d.readOnlyErr != nil {
		return d.readOnlyErr
	}
	tx, err := b.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after a commit
	if err := change(tx); err != nil {
		return err
	}
	if err := d.checkNotMoved(); err != nil {
		return err
	}
	return tx.Commit()
}

// inDurableTransaction works like inTransaction for changes that must survive a power loss: it returns when
// they are on disk.
func (d *DB) inDurableTransaction(ctx context.Context, change func(sqlstore.Tx) error) error {
	return d.withPragma(ctx, "synchronous = FULL", "synchronous = NORMAL", func(conn *sql.Conn) error {
		return d.transact(ctx, conn, change)
	})
}

// inErasingTransaction works like inTransaction for data that must be erased from the file. It overwrites
// the data and empties the log that still has it.
func (d *DB) inErasingTransaction(ctx context.Context, change func(sqlstore.Tx) error) error {
	return d.withPragma(ctx, "secure_delete = ON", "secure_delete = FAST", func(conn *sql.Conn) error {
		if err := d.transact(ctx, conn, change); err != nil {
			return err
		}
		// If a reader in another process prevents this, the log is emptied later.
		_, err := conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	})
}

// withPragma changes a pragma on the only connection, runs do with it and resets the pragma. SQLite accepts
// these pragmas only outside transactions.
func (d *DB) withPragma(ctx context.Context, set, reset string, do func(*sql.Conn) error) (err error) {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() // returns it to the pool
	defer func() {
		_, resetErr := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA "+reset)
		err = errors.Join(err, resetErr)
	}()
	if _, err := conn.ExecContext(ctx, "PRAGMA "+set); err != nil {
		return err
	}
	return do(conn)
}
