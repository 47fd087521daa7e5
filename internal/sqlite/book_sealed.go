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

// errSealed opens what sealed says, which is said once.
var errSealed = errors.New("the book cannot be written to")

// sealed says what to do where a book can only be read.
func sealed(path string, err error) error {
	switch {
	case errors.Is(err, errSealed):
		return err
	case full(err):
		return fmt.Errorf("%w and is as it was: %w for %s; make some, and start nfa again (%w)", errSealed, errNoRoom, path, err)
	}
	return fmt.Errorf("%w and is as it was: make %s and its folder writable, or choose another home with --home or NFA_HOME (%w)", errSealed, path, err)
}

// unwritable tells that a file or its folder may not be written to from every other
// failure.
func unwritable(err error) bool {
	switch code(err) & 0xff {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return true
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}

// openSealed opens a book to be read, with the same checks. There is no lock: who
// cannot write beside the file cannot take one.
func openSealed(ctx context.Context, path string, l layout) (*DB, error) {
	switch err := look(ctx, path, l); {
	case damaged(err):
		return nil, refuseDamaged(path, err)
	case code(err)&0xff == sqlite3.SQLITE_CANTOPEN && sizeOf(path+"-wal") > 0:
		// Without its log the book would be read as it was some entries ago.
		return nil, sealed(path, fmt.Errorf("what was recorded last is in its log, which is read only where that is so: %w", err))
	case err != nil:
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	pool, err := sql.Open("sqlite", dsn(path)+readOnly(path))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	if err := readable(ctx, pool, l); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return &DB{db: pool, path: path}, nil
}

// readOnly is how a file is opened that is not to be written to. SQLite would make a
// log, and an index of it, to be able to read; where nobody has the file open, which
// is where there is neither, nor what a full disk has left of them, it need not.
func readOnly(path string) string {
	const smallestIndex = 32 << 10 // what SQLite makes of one before it uses it
	log, index := sizeOf(path+"-wal"), sizeOf(path+"-shm")
	if log < 0 || log == 0 && index < smallestIndex {
		return "&mode=ro&immutable=1"
	}
	return "&mode=ro"
}

// readable wants the newest tables: older ones cannot be brought up to date here.
func readable(ctx context.Context, pool *sql.DB, l layout) error {
	have, err := version(ctx, pool)
	if err != nil {
		return err
	}
	files, err := l.scripts()
	if err == nil && have != len(files) {
		err = fmt.Errorf("it is of an older nfa (schema %d, this one has %d) and cannot be brought up to date where it cannot be written to", have, len(files))
	}
	return err
}

// refuseNewer says how to go on where a book is of a newer program. The copy that
// was made before its tables were changed is one that this program reads.
func refuseNewer(path string, err error) error {
	if !errors.Is(err, ErrNewer) {
		return err
	}
	older, listErr := backups(path)
	if listErr != nil {
		return err
	}
	for _, name := range older {
		if isOfSchema(name) {
			return fmt.Errorf("%w; nothing was changed. The book as it was before that newer nfa is %s, without what was recorded since", err, name)
		}
	}
	return fmt.Errorf("%w; nothing was changed", err)
}
