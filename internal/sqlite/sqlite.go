// Package sqlite keeps what has to survive the program in one SQLite file: the
// sessions now, with room for the stores of both wings. The driver is pure Go.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/nfa-cli/nfa/internal/session"
)

// ErrNewer means that the file was written by a later version of the program.
// It is left untouched.
var ErrNewer = errors.New("written by a newer version of nfa")

// Options tunes Open. The zero value is ready.
type Options struct {
	// Notice is told what the user should know: that a damaged file was set
	// aside, and where it is.
	Notice func(text string)
	Now    func() time.Time // dates the name of a file set aside
}

// DB is an open store. It is safe for concurrent use, also by several processes
// on one file.
type DB struct {
	db *sql.DB
}

// Open opens the file at path, for the user alone (0600, in a directory of
// 0700), and brings its schema up to date. A file that is damaged is renamed,
// never deleted, and an empty one takes its place. Close gives it back.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	if opts.Notice == nil {
		opts.Notice = func(string) {}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if err := prepare(path); err != nil {
		return nil, err
	}
	db, err := open(ctx, path)
	if !damaged(err) {
		return db, err
	}
	aside := fmt.Sprintf("%s.damaged-%s", path, opts.Now().UTC().Format("20060102-150405"))
	if err := setAside(path, aside); err != nil {
		return nil, err
	}
	opts.Notice(fmt.Sprintf("the sessions in %s were damaged (%v); the file is set aside as %s and a new one begun", path, err, aside))
	if err := prepare(path); err != nil {
		return nil, err
	}
	return open(ctx, path)
}

// Close gives the file back.
func (d *DB) Close() error { return d.db.Close() }

// Sessions is the store of conversations in this file.
func (d *DB) Sessions() session.Store { return sessions{d.db} }

// prepare makes the directory and the file with their modes, because SQLite
// makes its files by the umask; its journals take the mode of the file.
func prepare(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	// Best effort, for a file of a looser umask: some file systems have no modes.
	_ = file.Chmod(0o600)
	return file.Close()
}

func open(ctx context.Context, path string) (*DB, error) {
	pool, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	// One connection: a conversation appends one entry after the other, and
	// further ones would only wait for each other's locks.
	pool.SetMaxOpenConns(1)
	d := &DB{db: pool}
	if err := migrate(ctx, pool); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return d, nil
}

// dsn sets what every connection needs. With a write-ahead log and synchronous
// NORMAL a commit survives the death of the process without a disk flush for
// each entry; only a power cut can take the last moments, and never damages the
// file. A flush for each would cost a hundred times as much at every word shown.
func dsn(path string) string {
	q := url.Values{}
	for _, pragma := range []string{
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)",
	} {
		q.Add("_pragma", pragma)
	}
	// Writers take their lock at once: two processes that both read first would
	// deadlock when both then want to write.
	q.Set("_txlock", "immediate")
	return (&url.URL{Scheme: "file", Opaque: filepath.ToSlash((&url.URL{Path: path}).EscapedPath()), RawQuery: q.Encode()}).String()
}

// damaged tells a file that is no sound database from every other failure.
func damaged(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff { // the rest is detail
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// setAside renames the file and its journals, so that nothing is lost and
// nothing of the old one is replayed into the new.
func setAside(path, aside string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Rename(path+suffix, aside+suffix)
		if err != nil && !(suffix != "" && errors.Is(err, os.ErrNotExist)) {
			return fmt.Errorf("setting the damaged database aside: %w", err)
		}
	}
	return nil
}
