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

// errDamaged means that the file is not a valid nfa database although SQLite reports no error.
var errDamaged = errors.New("not a valid database")

// isDamaged distinguishes a damaged database from every other failure.
func isDamaged(err error) bool {
	if errors.Is(err, errDamaged) {
		return true
	}
	switch errorCode(err) & 0xff { // the higher bits are details
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// errorCode returns SQLite's code of err, or -1.
func errorCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return -1
	}
	return e.Code()
}

// maxSchemaVersion is more migrations than there will ever be, because their file names have four
// digits.
const maxSchemaVersion = 9999

// inspectHeader checks the file before SQLite opens it, because SQLite may write even then. It
// refuses a file of a newer version without changing it, and an empty file with a log, because SQLite
// would delete the log, which may have the latest data.
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
			return fmt.Errorf("%w: the file is empty, but its log is not", errDamaged)
		}
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the file has only %d bytes", errDamaged, n)
	case err != nil:
		return err
	}
	const newestFormat = 2 // at offset 18; SQLite opens a higher one read-only
	const newestSchema = 4 // at offset 44; for a higher one SQLite reports a wrong statement
	if string(header[:16]) != "SQLite format 3\x00" || header[18] > newestFormat ||
		binary.BigEndian.Uint32(header[44:]) > newestSchema {
		return fmt.Errorf("%w: wrong file header", errDamaged)
	}
	have := int(int32(binary.BigEndian.Uint32(header[60:])))
	if l.applicationID != 0 && have != 0 && binary.BigEndian.Uint32(header[68:]) != l.applicationID {
		return fmt.Errorf("%w: it does not contain %s", errDamaged, l.contents)
	}
	return checkVersion(l, have)
}

// probe reads the data that the next append will use.
func probe(ctx context.Context, pool *sql.DB, l layout) error {
	_, err := pool.ExecContext(ctx, l.probe)
	return markDamaged(err)
}

// markDamaged marks the error of a statement that is valid for every file of its version. If SQLite
// rejects it, the tables do not match the version.
func markDamaged(err error) error {
	if errorCode(err) == sqlite3.SQLITE_ERROR {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return err
}

// explainError describes *err for the user. After damage it leaves a mark next to the file, so that
// the next Open checks all of it. A full check at every start would take seconds with a year of
// sessions.
func (d *DB) explainError(err *error) {
	if !isDamaged(*err) {
		*err = explainDiskFull(d.path, *err)
		return
	}
	d.markSuspect()
	*err = fmt.Errorf("%w; %s is damaged: restart nfa to set it aside and create a new one", *err, d.path)
}

func (d *DB) markSuspect() {
	if f, err := os.OpenFile(d.path+".suspect", os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		_ = f.Close()
	}
}

// checkSuspect checks the whole file if damage was found earlier.
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
		return fmt.Errorf("check file: %w", err)
	}
	if finding != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, finding)
	}
	return nil
}

// setAside renames the file and its journals, so that nothing is lost and no old journal is applied
// to the new file. It returns the new name.
func setAside(path string, at time.Time) (string, error) {
	aside := unusedName(fmt.Sprintf("%s.damaged-%s", path, at.UTC().Format("20060102-150405")))
	// Rename the file itself last: if the program died in between, SQLite would delete a log next
	// to a new, empty file.
	for _, suffix := range []string{".suspect", "-journal", "-shm", "-wal", ""} {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			return "", fmt.Errorf("set aside damaged database: %w", err)
		}
	}
	return aside, nil
}

// unusedName returns name, with a number if it is taken, because a rename would replace a file that
// was set aside earlier.
func unusedName(name string) string {
	for i, candidate := 2, name; ; i++ {
		if _, err := os.Lstat(candidate); errors.Is(err, os.ErrNotExist) {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d", name, i)
	}
}
