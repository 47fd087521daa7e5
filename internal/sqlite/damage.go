package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errDamaged means that the file is not a sound database of nfa although SQLite reports no error.
var errDamaged = errors.New("not a sound database")

// isDamaged tells a file that is no sound database from every other failure.
func isDamaged(err error) bool {
	if errors.Is(err, errDamaged) {
		return true
	}
	switch errorCode(err) & 0xff { // the rest is detail
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// errorCode is SQLite's number for err, or -1.
func errorCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return -1
	}
	return e.Code()
}

// maxSchemaVersion is more migrations than there will ever be: the number of a file
// is in its name, in four digits.
const maxSchemaVersion = 9999

// inspectHeader looks at the file before SQLite does, which even while opening may
// write: it refuses a newer file untouched, and keeps SQLite from deleting the
// log of an emptied one, where the last that was said may still be.
func inspectHeader(path string, l layout) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	header := make([]byte, 72) // https://www.sqlite.org/fileformat.html#the_database_header
	n, err := io.ReadFull(f, header)
	switch {
	case errors.Is(err, io.EOF):
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
			return fmt.Errorf("%w: it is empty, but its log is not", errDamaged)
		}
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it has only %d bytes", errDamaged, n)
	case err != nil:
		return err
	}
	const newestFormat = 2 // at 18; SQLite takes a higher one for read-only
	const newestSchema = 4 // at 44; SQLite refuses a higher one as it does a wrong statement
	if string(header[:16]) != "SQLite format 3\x00" || header[18] > newestFormat ||
		binary.BigEndian.Uint32(header[44:]) > newestSchema {
		return fmt.Errorf("%w: it does not begin as one", errDamaged)
	}
	have := int(int32(binary.BigEndian.Uint32(header[60:])))
	if l.applicationID != 0 && have != 0 && binary.BigEndian.Uint32(header[68:]) != l.applicationID {
		return fmt.Errorf("%w: it is not a file of %s", errDamaged, l.contents)
	}
	return checkVersion(l, have)
}

// probe reads what the next append will touch.
func probe(ctx context.Context, pool *sql.DB, l layout) error {
	_, err := pool.ExecContext(ctx, l.probe)
	return markDamaged(err)
}

// markDamaged is for a statement that is right for every file of its version: where
// SQLite finds it wrong, the tables are not what the version says.
func markDamaged(err error) error {
	if errorCode(err) == sqlite3.SQLITE_ERROR {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return err
}

// explainError says what *err means for the user, and leaves a mark beside the file
// where it is damage, so that the next Open checks all of it. Checking everything
// at every start would cost seconds once there is a year of conversations in it.
func (d *DB) explainError(err *error) {
	if !isDamaged(*err) {
		*err = explainDiskFull(d.path, *err)
		return
	}
	d.markSuspect()
	*err = fmt.Errorf("%w; %s is damaged: start nfa again, and it is set aside and a new one begun", *err, d.path)
}

func (d *DB) markSuspect() {
	if f, err := os.OpenFile(d.path+".suspect", os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_ = f.Close()
	}
}

// checkSuspect checks the whole file when an earlier use met damage in it.
func checkSuspect(ctx context.Context, pool *sql.DB, path string) error {
	if _, err := os.Stat(path + ".suspect"); err != nil {
		return nil
	}
	if err := checkIntegrity(ctx, pool); err != nil {
		return err
	}
	return os.Remove(path + ".suspect")
}

func checkIntegrity(ctx context.Context, pool *sql.DB) error {
	var finding string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&finding); err != nil {
		return fmt.Errorf("checking the file: %w", err)
	}
	if finding != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, finding)
	}
	return nil
}

// setAside renames the file and its journals, so that nothing is lost and
// nothing of the old one is replayed into the new, and returns its new name.
func setAside(path string, at time.Time) (string, error) {
	aside := unusedName(fmt.Sprintf("%s.damaged-%s", path, at.UTC().Format("20060102-150405")))
	// The file itself goes last: were the program to die half way, SQLite would
	// delete a log that it finds beside a new, empty file.
	for _, suffix := range []string{".suspect", "-journal", "-shm", "-wal", ""} {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			return "", fmt.Errorf("setting the damaged database aside: %w", err)
		}
	}
	return aside, nil
}

// unusedName is name, or name with a number when it is taken: a rename would replace
// what was set aside earlier.
func unusedName(name string) string {
	for i, candidate := 2, name; ; i++ {
		if _, err := os.Lstat(candidate); errors.Is(err, os.ErrNotExist) {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d", name, i)
	}
}
