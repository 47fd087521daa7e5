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

	"github.com/gofrs/flock"
	_ "modernc.org/sqlite" // the driver of that name

	"github.com/nfa-cli/nfa/internal/session"
)

// ErrNewer means that the file was written by a later version of the program.
// It is left untouched.
var ErrNewer = errors.New("written by a newer version of nfa")

// Options tunes Open. The zero value is ready.
type Options struct {
	// Notice receives messages for the user: that a damaged file was set aside, and where it is.
	Notice func(text string)
	Now    func() time.Time // dates the names of files set aside and backups
}

// withDefaults has a value in every field.
func (o Options) withDefaults() Options {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// DB is an open store. It is safe for concurrent use, also by several processes
// on one file.
type DB struct {
	db       *sql.DB
	path     string
	fileInfo os.FileInfo // of the file, nil where it is only read
}

// Open opens the file at path, for the user alone (0600, in a directory of
// 0700), and brings its schema up to date. A file that is damaged is renamed,
// never deleted, and an empty one takes its place. Close gives it back.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	db, err := openAs(ctx, path, opts, sessionLayout())
	return db, explainDiskFull(path, err)
}

func openAs(ctx context.Context, path string, opts Options, l layout) (*DB, error) {
	opts = opts.withDefaults()
	if err := makeFolder(path); err != nil {
		return nil, err
	}
	if err := checkRegularFiles(path, path+".lock"); err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if l.irreplaceable {
		return openIrreplaceable(ctx, path, l)
	}
	db, err := open(ctx, path, l)
	if !isDamaged(err) {
		return db, err
	}
	aside, asideErr := setAside(path, opts.Now())
	if asideErr != nil {
		return nil, asideErr
	}
	opts.Notice(fmt.Sprintf("%s in %s were damaged (%v); the file is set aside as %s and a new one begun", l.contents, path, err, aside))
	return open(ctx, path, l)
}

// lock lets one process at a time open the file: switching a new file to its
// log, migrating it and setting a damaged one aside are each a matter of several
// steps that a second process must not see the middle of. It holds for as long
// as opening takes.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	const retry = 5 * time.Millisecond
	l := flock.New(path + ".lock")
	if _, err := l.TryLockContext(ctx, retry); err != nil {
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	// The lock file stays: were it removed, a process that waits for the old one
	// and a process that makes a new one would both hold it.
	return func() { _ = l.Close() }, nil
}

// Close gives the file back.
func (d *DB) Close() error { return d.db.Close() }

// Sessions is the store of conversations in this file.
func (d *DB) Sessions() session.Store { return sessionStore{d} }

func makeFolder(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	return nil
}

// checkRegularFiles refuses a pipe or a device: opening one waits for somebody at its other
// end, and no signal ends that. What is not there is well.
func checkRegularFiles(paths ...string) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("opening %s: it is no ordinary file; move it to another place", path)
		}
	}
	return nil
}

// makeFile makes the file with its mode, because SQLite makes it by the umask;
// its journals take the mode of the file.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	// Best effort, for a file of a looser umask: some file systems have no modes.
	_ = file.Chmod(0o600)
	return file.Close()
}

func open(ctx context.Context, path string, l layout) (*DB, error) {
	if err := makeFile(path); err != nil {
		return nil, err
	}
	opened, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	if err := inspectHeader(path, l); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	pool, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	// One connection: a conversation appends one entry after the other, and
	// further ones would only wait for each other's locks.
	pool.SetMaxOpenConns(1)
	if err := prepareSchema(ctx, pool, path, l); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return &DB{db: pool, path: path, fileInfo: opened}, nil
}

// prepareSchema leaves the database at the newest schema, and fails when it is damaged.
func prepareSchema(ctx context.Context, pool *sql.DB, path string, l layout) error {
	if err := checkSuspect(ctx, pool, path); err != nil {
		return err
	}
	if err := checkCompatible(ctx, pool, l); err != nil {
		return err
	}
	// Not before: it writes to the file, which may be somebody else's.
	if _, err := pool.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return fmt.Errorf("switching to a write-ahead log: %w", err)
	}
	if err := migrate(ctx, pool, l); err != nil {
		return err
	}
	if err := checkSchema(ctx, pool, l); err != nil {
		return err
	}
	return probe(ctx, pool, l)
}

// dsn sets what every connection needs. With a write-ahead log and synchronous NORMAL a commit
// survives the death of the process without a disk flush for each entry; only a power cut can lose
// the last moments, and never damages the file. A flush for each would make every word on the
// screen wait for the disk. Deleted data, such as the pieces of an answer, is overwritten where
// that costs no further writing.
func dsn(path string) string {
	q := url.Values{}
	for _, pragma := range []string{
		"busy_timeout(10000)", "synchronous(NORMAL)", "foreign_keys(ON)", "cell_size_check(ON)", "secure_delete(FAST)", "temp_store(MEMORY)",
	} {
		q.Add("_pragma", pragma)
	}
	// Writers take their lock at once: two processes that both read first would
	// deadlock when both then want to write.
	q.Set("_txlock", "immediate")
	return (&url.URL{Scheme: "file", Opaque: filepath.ToSlash((&url.URL{Path: path}).EscapedPath()), RawQuery: q.Encode()}).String()
}
