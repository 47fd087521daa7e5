// Package sqlstore reads and writes the user's data in SQL tables: sessions, stored skills, alerts, price
// history, and the portfolio with journal, watchlist, profile and documents. The tables have the same names
// and columns in SQLite and in PostgreSQL; an Engine covers the differences. Values are checked when
// writing and when reading, because a person may edit the tables.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Tx is a transaction of a database.
type Tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Engine runs transactions in one database. It is safe for concurrent use.
type Engine interface {
	// Read runs do on a consistent snapshot.
	Read(ctx context.Context, do func(Tx) error) error
	// Write applies all of do, or nothing. It returns nil when the change is saved. An engine may
	// call do again after a failure, with a new transaction.
	Write(ctx context.Context, do func(Tx) error) error
	// Refusal returns the rule that a statement broke, or nil for any other error.
	Refusal(err error) error
	Now() time.Time
}

// Rules of the tables.
var (
	ErrUnique  = errors.New("a row with this key exists")
	ErrForeign = errors.New("a row that it refers to is missing")
	ErrCheck   = errors.New("a value is not allowed")
)
