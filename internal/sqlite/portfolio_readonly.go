package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// errReadOnly starts every error about a read-only portfolio.
var errReadOnly = errors.New("the portfolio is read-only")

// readOnlyError adds the next step to an error about a read-only portfolio.
func readOnlyError(path string, err error) error {
	switch {
	case errors.Is(err, errReadOnly):
		return err
	case isDiskFull(err):
		return fmt.Errorf("%w and was not changed: %w for %s; free some and restart nfa (%w)", errReadOnly, errDiskFull, path, err)
	}
	return fmt.Errorf("%w and was not changed: make %s and its folder writable, or choose another data folder with --home or NFA_HOME (%w)", errReadOnly, path, err)
}

// isUnwritable distinguishes a file or folder without write permission from every other failure.
func isUnwritable(err error) bool {
	switch errorCode(err) & 0xff {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return true
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}

// openReadOnly opens a portfolio file for reading, with the same checks. It takes no lock, because
// a process that cannot write next to the file cannot take one.
func openReadOnly(ctx context.Context, path string, l layout) (*DB, error) {
	switch err := inspectReadOnly(ctx, path, l); {
	case isDamaged(err):
		return nil, portfolioDamagedError(path, err)
	case errorCode(err)&0xff == sqlite3.SQLITE_CANTOPEN && fileSize(path+"-wal") > 0:
		// Without its log the ledger would lack the newest transactions.
		return nil, readOnlyError(path, fmt.Errorf("the latest changes are in its log, which cannot be read here: %w", err))
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	pool, err := sql.Open("sqlite", dsn(path)+readOnlyParams(path))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	if err := checkNewestSchema(ctx, pool, l); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return &DB{db: pool, path: path}, nil
}

// readOnlyParams returns the parameters to open a file for reading only. SQLite normally creates a
// log and its index even to read. It does not need them if no process has the file open: then
// neither exists, or there are only the remains that a full disk left.
func readOnlyParams(path string) string {
	const smallestIndex = 32 << 10 // size of an index that SQLite has just created
	log, index := fileSize(path+"-wal"), fileSize(path+"-shm")
	if log < 0 || log == 0 && index < smallestIndex {
		return "&mode=ro&immutable=1"
	}
	return "&mode=ro"
}

// checkNewestSchema requires the newest tables, because older ones cannot be updated here.
func checkNewestSchema(ctx context.Context, pool *sql.DB, l layout) error {
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	files, err := l.scripts()
	if err == nil && have != len(files) {
		err = fmt.Errorf("it is from an older version of nfa (schema %d; this version has %d) and cannot be updated while it is read-only", have, len(files))
	}
	return err
}

// explainNewer adds the next step to an error about a portfolio of a newer program. This program
// can read the backup that was made before the tables were changed.
func explainNewer(path string, err error) error {
	if !errors.Is(err, ErrNewer) {
		return err
	}
	older, listErr := PortfolioBackups(path)
	if listErr != nil {
		return err
	}
	for _, name := range older {
		if isSchemaBackup(name) {
			return fmt.Errorf("%w; nothing was changed. %s has the portfolio from before the update, without later changes", err, name)
		}
	}
	return fmt.Errorf("%w; nothing was changed", err)
}
