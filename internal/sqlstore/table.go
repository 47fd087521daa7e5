package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// forRows calls scan for each row of a query.
func forRows(ctx context.Context, tx Tx, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// smallTable is a small table that a rowParser reads.
type smallTable struct {
	name    string
	columns []string // the first names a row for people
	order   string
}

// eachRow calls take for each row. take reads the columns in their order.
func eachRow(ctx context.Context, tx Tx, t smallTable, take func(*rowParser)) error {
	p := &rowParser{columns: t.columns}
	err := forRows(ctx, tx, func(rows *sql.Rows) error {
		var row string
		if err := rows.Scan(&row); err != nil {
			return err
		}
		if err := p.begin(row); err != nil {
			return err
		}
		if take(p); p.err != nil {
			first, _, _ := strings.Cut(row, separator)
			return fmt.Errorf("row %q of table %s: %w", first, t.name, p.err)
		}
		return nil
	}, "SELECT "+concatColumns(t.columns)+" FROM "+t.name+" ORDER BY "+t.order)
	if err != nil && p.err == nil {
		return fmt.Errorf("read %s: %w", t.name, err)
	}
	return err
}

// replaceRow writes a row in place of the one with its key, with its rows in a second table.
// Deleting the old row also deletes those.
func replaceRow(ctx context.Context, tx Tx, t smallTable, row []any, child smallTable, children [][]any) error {
	if _, err := tx.ExecContext(ctx, "DELETE FROM "+t.name+" WHERE "+t.columns[0]+" = ?", row[0]); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, insertStatement(t.name, t.columns), row...); err != nil {
		return err
	}
	for _, values := range children {
		if _, err := tx.ExecContext(ctx, insertStatement(child.name, child.columns), values...); err != nil {
			return err
		}
	}
	return nil
}

func insertStatement(table string, columns []string) string { return insertRows(table, columns, 1) }

// insertRows returns the statement that inserts several rows.
func insertRows(table string, columns []string, rows int) string {
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " + row + strings.Repeat(", "+row, rows-1)
}

// updateOrInsert sets columns of the row with a key, which it adds if there is none.
func updateOrInsert(ctx context.Context, tx Tx, table string, columns []string, values []any, key []string, is []any) error {
	args := append(slices.Clone(values), is...)
	result, err := tx.ExecContext(ctx, "UPDATE "+table+" SET "+strings.Join(columns, " = ?, ")+" = ? WHERE "+strings.Join(key, " = ? AND ")+" = ?", args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, insertStatement(table, append(slices.Clone(columns), key...)), args...)
	return err
}

// separator separates the columns of a row that is read as one text. No text of a transaction contains it.
const separator = "\x1f"

// concatColumns selects all columns as one text, because SQLite's driver is slow for each value, and
// most are empty.
func concatColumns(columns []string) string {
	return "concat_ws('" + separator + "', coalesce(CAST(" + strings.Join(columns, " AS TEXT), ''), coalesce(CAST(") + " AS TEXT), ''))"
}
