package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// forRows calls scan for each row of a query.
func forRows(ctx context.Context, q queryer, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
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

// migrate updates the schema to the newest version. Each migration file, in numeric order,
// increases user_version by one.
func migrate(ctx context.Context, pool *sql.DB, l layout) error {
	files, err := l.scripts()
	if err != nil {
		return err
	}
	have, err := schemaVersion(ctx, pool)
	if err != nil || have == len(files) {
		return err
	}
	if l.beforeMigrate != nil && have > 0 {
		if err := l.beforeMigrate(ctx, pool, have); err != nil {
			return err
		}
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin migration: %w", err)
	}
	defer tx.Rollback() // no effect after a commit
	// Another process may have migrated the file while this one waited for the lock.
	if have, err = schemaVersion(ctx, tx); err != nil {
		return err
	}
	for i := have; i < len(files); i++ {
		script, err := migrations.ReadFile(files[i])
		if err != nil {
			return fmt.Errorf("read %s: %w", files[i], err)
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("apply %s: %w", files[i], markDamaged(err))
		}
	}
	// A pragma takes no parameters; the number is a constant of ours.
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(files))); err != nil {
		return fmt.Errorf("save schema version: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit migration: %w", err)
	}
	return nil
}

// checkVersion refuses a schema that this program cannot update.
func checkVersion(l layout, have int) error {
	files, err := l.scripts()
	switch {
	case err != nil:
		return err
	case have < 0 || have > maxSchemaVersion:
		return fmt.Errorf("%w: unknown schema %d", errDamaged, have)
	case have > len(files):
		return fmt.Errorf("%w (schema %d; this version supports %d); update nfa", ErrNewer, have, len(files))
	}
	return nil
}

// checkCompatible refuses a newer file and a file of another program, so that nfa's tables are
// never added to existing ones.
func checkCompatible(ctx context.Context, pool *sql.DB, l layout) error {
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if have != 0 {
		return checkVersion(l, have)
	}
	var tables int
	if err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	if tables > 0 {
		return fmt.Errorf("%w: it has tables but no schema version", errDamaged)
	}
	return nil
}

// checkSchema compares the tables with the result of the migrations. Otherwise SQLite would accept
// a damaged column name and fail only when a statement uses it. Additional tables are ignored.
func checkSchema(ctx context.Context, q queryer, l layout) error {
	have, err := schemaObjects(ctx, q)
	if err != nil {
		return err
	}
	for object := range strings.SplitSeq(strings.TrimSpace(l.schema), "\n\n") {
		if !slices.Contains(have, object) {
			title, _, _ := strings.Cut(object, "\n")
			return fmt.Errorf("%w: %q has changed", errDamaged, strings.TrimPrefix(title, "-- "))
		}
	}
	return nil
}

// schemaObjects returns each object of a database with the statement that created it.
func schemaObjects(ctx context.Context, q queryer) (objects []string, err error) {
	err = forRows(ctx, q, func(rows *sql.Rows) error {
		objects = append(objects, "")
		return markDamaged(rows.Scan(&objects[len(objects)-1]))
	}, `SELECT '-- ' || type || ' ' || name || ' on ' || tbl_name || coalesce(char(10) || sql || ';', '')
		FROM sqlite_schema ORDER BY tbl_name, type DESC, name`)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return objects, nil
}

func schemaVersion(ctx context.Context, q queryer) (int, error) {
	var v int
	if err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return v, nil
}
