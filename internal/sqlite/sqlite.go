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
	_ "modernc.org/sqlite" // the driver named "sqlite"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// ErrNewer means that the file was written by a later version of nfa. It is unchanged.
var ErrNewer = errors.New("written by a newer version of nfa")

// Options configures Open. The zero value is ready to use.
type Options struct {
	// Notice receives messages for the user, such as where a damaged file was moved.
	Notice func(text string)
	Now    func() time.Time // for the names of backups and of files set aside
}

// withDefaults returns the options with a value in every field.
func (o Options) withDefaults() Options {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// DB is an open store. It is safe for concurrent use, also by several processes.
type DB struct {
	db       *sql.DB
	path     string
	fileInfo os.FileInfo // of the file; nil if it is read-only
	// readOnlyErr is why the sessions cannot be changed.
	readOnlyErr error
}

// Open opens the file at path, readable only by the user (0600, in a folder of 0700), and updates its
// schema. A damaged file is renamed, never deleted, and replaced by an empty one. The caller must call
// Close.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	db, err := openAs(ctx, path, opts, sessionLayout())
	if isUnwritable(err) && fileSize(path) > 0 {
		readOnly, readErr := openReadOnly(ctx, path, sessionLayout())
		if readErr == nil {
			readOnly.readOnlyErr = fmt.Errorf("%s is read-only; make it and its folder writable, or choose another data folder with --home or NFA_HOME (%w)", path, err)
			return readOnly, nil
		}
	}
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
	opts.Notice(fmt.Sprintf("%s in %s were damaged (%v); the file was set aside as %s and a new one was created", l.contents, path, err, aside))
	return open(ctx, path, l)
}

// lock lets only one process at a time open the file. Switching a new file to its log, migrating it and
// setting a damaged one aside take several steps, which a second process must not see half done.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	const retry = 5 * time.Millisecond
	l := flock.New(path + ".lock")
	if _, err := l.TryLockContext(ctx, retry); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	// Keep the lock file: if it were removed, one process could hold the old file and another the
	// new one.
	return func() { _ = l.Close() }, nil
}

// Close closes the file.
func (d *DB) Close() error { return d.db.Close() }

// Sessions returns the store of sessions in this file.
func (d *DB) Sessions() session.Store { return sqlstore.NewSessions(sessionEngine{d}) }

// Skills returns the store of skills in this file.
func (d *DB) Skills() skill.Store { return sqlstore.NewSkills(durableEngine{sessionEngine{d}}) }

func makeFolder(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	return nil
}

// checkRegularFiles refuses a pipe or a device, because opening one waits for its other end and
// cannot be interrupted. A missing file is accepted.
func checkRegularFiles(paths ...string) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("open %s: not a regular file; move it to another place", path)
		}
	}
	return nil
}

// makeFile creates the file with its permissions, because SQLite would use the umask. Its journals
// get the permissions of the file.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	// Best effort, for a file with a looser umask: some file systems have no permissions.
	_ = file.Chmod(0o600)
	return file.Close()
}

func open(ctx context.Context, path string, l layout) (*DB, error) {
	if err := makeFile(path); err != nil {
		return nil, err
	}
	opened, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := inspectHeader(path, l); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	pool, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	// Use one connection, because entries are appended one after the other, and more connections
	// would only wait for each other's locks.
	pool.SetMaxOpenConns(1)
	if err := prepareSchema(ctx, pool, path, l); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return &DB{db: pool, path: path, fileInfo: opened}, nil
}

// prepareSchema updates the database to the newest schema. It fails if the database is damaged.
func prepareSchema(ctx context.Context, pool *sql.DB, path string, l layout) error {
	if err := checkSuspect(ctx, pool, path); err != nil {
		return err
	}
	if err := checkCompatible(ctx, pool, l); err != nil {
		return err
	}
	// Only now, because it writes to the file, which could have belonged to another program.
	if _, err := pool.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return fmt.Errorf("switch to write-ahead log: %w", err)
	}
	if err := migrate(ctx, pool, l); err != nil {
		return err
	}
	if err := checkSchema(ctx, pool, l); err != nil {
		return err
	}
	return probe(ctx, pool, l)
}

// dsn sets the parameters of every connection. With a write-ahead log and synchronous NORMAL, a
// commit survives the death of the process without a disk flush for each entry. Only a power loss
// can lose the last moments, and it never damages the file. With a flush for each entry, every word
// on the screen would wait for the disk. Deleted data, such as parts of an answer, is overwritten
// if that needs no additional writing.
func dsn(path string) string {
	q := url.Values{}
	for _, pragma := range []string{
		"busy_timeout(10000)", "synchronous(NORMAL)", "foreign_keys(ON)", "cell_size_check(ON)", "secure_delete(FAST)", "temp_store(MEMORY)",
	} {
		q.Add("_pragma", pragma)
	}
	// Lock for writing immediately, because two processes that both read first would deadlock when
	// both want to write.
	q.Set("_txlock", "immediate")
	return (&url.URL{Scheme: "file", Opaque: filepath.ToSlash((&url.URL{Path: path}).EscapedPath()), RawQuery: q.Encode()}).String()
}
