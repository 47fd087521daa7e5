package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked means that another process is writing the session.
var ErrLocked = errors.New("the session is open in another nfa process")

// lockWait is how long Acquire tries, because Locked in another process holds the lock for a
// moment, and releasing it takes a moment too.
const lockWait = 100 * time.Millisecond

// Locker allows one writer per session across processes.
type Locker interface {
	// Acquire makes the caller the writer of a session until it calls release. If another process
	// is, it returns ErrLocked.
	Acquire(ctx context.Context, id string) (release func(), err error)
	// Locked returns the sessions being written, including those of this process.
	Locked(ctx context.Context) (map[string]bool, error)
}

// Locks allow one writer per session across processes, because turns of two writers would be mixed.
// Reading needs no lock. A lock is an operating system lock on a file, so it ends with its process.
// Locks is safe for concurrent use, and two holders in one process exclude each other too.
type Locks struct{ dir string }

// NewLocks keeps the lock files in dir, which is created on first use. Only processes that use the
// same folder exclude each other.
func NewLocks(dir string) Locks { return Locks{dir} }

// Acquire makes the caller the writer of session id until it calls release. If another process is,
// it returns ErrLocked.
func (l Locks) Acquire(ctx context.Context, id string) (release func(), err error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("lock session %q: not a session ID", id)
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return nil, fmt.Errorf("lock session %s: %w", id, err)
	}
	within, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for {
		lock := flock.New(l.path(id))
		_, err := lock.TryLockContext(within, lockWait/20)
		switch {
		case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			return nil, ErrLocked
		case err != nil:
			return nil, fmt.Errorf("lock session %s: %w", id, err)
		case isCurrentFile(lock):
			return func() {
				// Remove the file before unlocking it, because afterwards it may belong to
				// another process. If an open file cannot be removed, it stays, empty.
				_ = os.Remove(lock.Path())
				_ = lock.Close()
			}, nil
		}
		_ = lock.Close()
	}
}

// isCurrentFile reports whether the lock is on the file that others would find. The previous holder
// removes the file, and a lock on a removed file excludes nobody.
func isCurrentFile(lock *flock.Flock) bool {
	mine, err := lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(mine, found)
}

// Locked returns the sessions being written, including those of this process.
func (l Locks) Locked(context.Context) (map[string]bool, error) {
	files, err := os.ReadDir(l.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find open sessions: %w", err)
	}
	held := map[string]bool{}
	for _, f := range files {
		id := f.Name()
		if !ValidID(id) {
			continue
		}
		// A killed process may have left a file. A shared lock does not block other readers, and
		// blocks a writer only for a moment. It must not create a file again that has been removed.
		lock := flock.New(l.path(id), flock.SetFlag(os.O_RDONLY))
		free, err := lock.TryRLock()
		_ = lock.Close()
		if err == nil && !free {
			held[id] = true
		}
	}
	return held, nil
}

func (l Locks) path(id string) string { return filepath.Join(l.dir, id) }
