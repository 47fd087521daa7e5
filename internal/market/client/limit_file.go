package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// limitFile is the pace of a server as a small file that processes share. Whatever is
// wrong with it, a process is left with its own pace: a limit is worth a moment's
// wait, not a failed request.
type limitFile struct{ path string }

// maxLockWait is how long a process waits for another that reads and writes the
// mark, which takes it far below a millisecond.
const maxLockWait = 250 * time.Millisecond

// lock holds the mark for as long as reading and writing it takes.
func (m *limitFile) lock() (unlock func()) {
	noop := func() {}
	if m == nil || os.MkdirAll(filepath.Dir(m.path), 0o700) != nil {
		return noop
	}
	if !isRegularOrAbsent(m.path+".lock") || !isRegularOrAbsent(m.path) {
		return noop
	}
	// Beside the mark, because some systems let nobody read a locked file.
	l := flock.New(m.path+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), maxLockWait)
	defer cancel()
	if locked, err := l.TryLockContext(ctx, 5*time.Millisecond); !locked || err != nil {
		return noop
	}
	return func() { _ = l.Close() }
}

// isRegularOrAbsent reports whether path is a file, or nothing yet. Opening a pipe would
// wait for its other end, and writing through a link would hit what it leads to.
func isRegularOrAbsent(path string) bool {
	info, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular()
}

// limitFileFormat has a fixed length, so that a new text covers the old one whole.
const limitFileFormat = "nfa limit 1 %020d %020d\n"

func (m *limitFile) read() limitState {
	if m == nil || !isRegularOrAbsent(m.path) {
		return limitState{}
	}
	f, err := os.Open(m.path)
	if err != nil {
		return limitState{}
	}
	defer f.Close()
	text := make([]byte, len(fmt.Sprintf(limitFileFormat, 0, 0))+1)
	n, _ := f.Read(text)
	return parseLimitFile(string(text[:n]))
}

// parseLimitFile is zero for what is no mark.
func parseLimitFile(text string) limitState {
	var s limitState
	if _, err := fmt.Sscanf(text, limitFileFormat, &s.booked, &s.blockedUntil); err != nil || fmt.Sprintf(limitFileFormat, s.booked, s.blockedUntil) != text {
		return limitState{}
	}
	return s
}

func (m *limitFile) write(s limitState) {
	if m == nil || !isRegularOrAbsent(m.path) {
		return
	}
	f, err := os.OpenFile(m.path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	text := fmt.Sprintf(limitFileFormat, s.booked, s.blockedUntil)
	if info, err := f.Stat(); err == nil && info.Size() > int64(len(text)) {
		_ = f.Truncate(0)
	}
	_, _ = f.WriteAt([]byte(text), 0)
}

// limitFileName is a name as a file may have it on every system.
func limitFileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '_'
	}, name) + ".mark"
}
