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

// ErrLocked means that somebody else is writing the session.
var ErrLocked = errors.New("the session is open elsewhere")

// lockWait is how long Hold tries: Held, in another program, has the lock for
// a moment, and whoever lets go takes a moment to do so.
const lockWait = 100 * time.Millisecond

// Locks keep sessions to one writer each, across programs: the turns of two would
// end up in one another. Reading needs no lock. A lock is the operating system's
// on a file in a folder, and ends with the program that holds it, however that
// dies. It is safe for concurrent use; two holders in one program keep each other
// out as well.
type Locks struct{ dir string }

// NewLocks keeps the files of the locks in dir, which is made when it is needed.
// Only programs that name the same folder heed each other.
func NewLocks(dir string) Locks { return Locks{dir} }

// Acquire makes the caller the writer of session id until it calls release. It
// reports ErrLocked where somebody else is.
func (l Locks) Acquire(ctx context.Context, id string) (release func(), err error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("locking session %q: not an ID", id)
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return nil, fmt.Errorf("locking session %s: %w", id, err)
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
			return nil, fmt.Errorf("locking session %s: %w", id, err)
		case isCurrentFile(lock):
			return func() {
				// Before it is unlocked: after that it may be another's. Where an open
				// file cannot be removed it stays, empty.
				_ = os.Remove(lock.Path())
				_ = lock.Close()
			}, nil
		}
		_ = lock.Close()
	}
}

// isCurrentFile reports whether a lock is on the file that others would find. The one
// who had it before removes the file, and a lock on what is no longer there keeps
// nobody out.
func isCurrentFile(lock *flock.Flock) bool {
	mine, err := lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(mine, found)
}

// Locked are the sessions that somebody writes now, this program included.
func (l Locks) Locked() (map[string]bool, error) {
	files, err := os.ReadDir(l.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for sessions that are open: %w", err)
	}
	held := map[string]bool{}
	for _, f := range files {
		id := f.Name()
		if !ValidID(id) {
			continue
		}
		// A file may have been left by a program that was killed. To share the lock
		// keeps no other look away, and a writer only for a moment. It must not make
		// the file anew that was removed since.
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
