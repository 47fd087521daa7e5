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

// errReadOnly begins the message of every error about a read-only portfolio.
var errReadOnly = errors.New("the book cannot be written to")

// readOnlyError says what to do about a portfolio that can only be read.
func readOnlyError(path string, err error) error {
	switch {
	case errors.Is(err, errReadOnly):
		return err
	case isDiskFull(err):
		return fmt.Errorf("%w and is as it was: %w for %s; make some, and start nfa again (%w)", errReadOnly, errDiskFull, path, err)
	}
	return fmt.Errorf("%w and is as it was: make %s and its folder writable, or choose another home with --home or NFA_HOME (%w)", errReadOnly, path, err)
}

// isUnwritable tells that a file or its folder may not be written to from every other
// failure.
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
		// Without its log the ledger would be missing the newest transactions.
		return nil, readOnlyError(path, fmt.Errorf("what was recorded last is in its log, which is read only where that is so: %w", err))
	case err != nil:
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	pool, err := sql.Open("sqlite", dsn(path)+readOnlyParams(path))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	if err := checkNewestSchema(ctx, pool, l); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return &DB{db: pool, path: path}, nil
}

// readOnlyParams is how a file is opened that is not to be written to. SQLite would make a
// log, and an index of it, to be able to read; where nobody has the file open, which
// is where there is neither, nor what a full disk has left of them, it need not.
func readOnlyParams(path string) string {
	const smallestIndex = 32 << 10 // what SQLite makes of one before it uses it
	log, index := fileSize(path+"-wal"), fileSize(path+"-shm")
	if log < 0 || log == 0 && index < smallestIndex {
		return "&mode=ro&immutable=1"
	}
	return "&mode=ro"
}

// checkNewestSchema wants the newest tables: older ones cannot be brought up to date here.
func checkNewestSchema(ctx context.Context, pool *sql.DB, l layout) error {
	have, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	files, err := l.scripts()
	if err == nil && have != len(files) {
		err = fmt.Errorf("it is of an older nfa (schema %d, this one has %d) and cannot be brought up to date where it cannot be written to", have, len(files))
	}
	return err
}

// explainNewer says what to do about a portfolio of a newer program. This program can read the
// backup that was made before the tables were changed.
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
			return fmt.Errorf("%w; nothing was changed. The book as it was before that newer nfa is %s, without what was recorded since", err, name)
		}
	}
	return fmt.Errorf("%w; nothing was changed", err)
}
