package postgres

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// tx is a transaction whose statements have ? for parameters.
type tx struct{ *sql.Tx }

func (t tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.Tx.ExecContext(ctx, numbered(query), args...)
}

func (t tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.Tx.QueryContext(ctx, numbered(query), args...)
}

func (t tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.Tx.QueryRowContext(ctx, numbered(query), args...)
}

func (t tx) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return t.Tx.PrepareContext(ctx, numbered(query))
}

// numbered replaces each ? by $1, $2 and so on. No statement contains ? in a string.
func numbered(query string) string {
	var b strings.Builder
	n := 0
	for {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n++
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}
