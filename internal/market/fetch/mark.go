package fetch

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

// mark is the pace of a server as a small file that processes share. Whatever is
// wrong with it, a process is left with its own pace: a limit is worth a moment's
// wait, not a failed request.
type mark struct{ path string }

// longestLock is how long a process waits for another that reads and writes the
// mark, which takes it far below a millisecond.
const longestLock = 250 * time.Millisecond

// lock holds the mark for as long as reading and writing it takes.
func (m *mark) lock() (unlock func()) {
	nothing := func() {}
	if m == nil || os.MkdirAll(filepath.Dir(m.path), 0o700) != nil {
		return nothing
	}
	if !ordinary(m.path+".lock") || !ordinary(m.path) {
		return nothing
	}
	// Beside the mark, because some systems let nobody read a locked file.
	l := flock.New(m.path+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), longestLock)
	defer cancel()
	if held, err := l.TryLockContext(ctx, 5*time.Millisecond); !held || err != nil {
		return nothing
	}
	return func() { _ = l.Close() }
}

// ordinary reports whether path is a file, or nothing yet. Opening a pipe would
// wait for its other end, and writing through a link would hit what it leads to.
func ordinary(path string) bool {
	info, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular()
}

// The text is of one length, so that a new one covers the old one whole.
const markText = "nfa limit 1 %020d %020d\n"

func (m *mark) read() pace {
	if m == nil || !ordinary(m.path) {
		return pace{}
	}
	f, err := os.Open(m.path)
	if err != nil {
		return pace{}
	}
	defer f.Close()
	text := make([]byte, len(fmt.Sprintf(markText, 0, 0))+1)
	n, _ := f.Read(text)
	return parseMark(string(text[:n]))
}

// parseMark is zero for what is no mark.
func parseMark(text string) pace {
	var s pace
	if _, err := fmt.Sscanf(text, markText, &s.booked, &s.shut); err != nil || fmt.Sprintf(markText, s.booked, s.shut) != text {
		return pace{}
	}
	return s
}

func (m *mark) write(s pace) {
	if m == nil || !ordinary(m.path) {
		return
	}
	f, err := os.OpenFile(m.path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	text := fmt.Sprintf(markText, s.booked, s.shut)
	if info, err := f.Stat(); err == nil && info.Size() > int64(len(text)) {
		_ = f.Truncate(0)
	}
	_, _ = f.WriteAt([]byte(text), 0)
}

// fileName is a name as a file may have it on every system.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		}
		return '_'
	}, name) + ".mark"
}
