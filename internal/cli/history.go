package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// The limits of the history.
const (
	MaxHistoryMessages = 2_000
	MaxHistoryBytes    = 1 << 20
	// MaxHistoryMessage is the maximum length of a message in bytes. A longer message is not saved.
	MaxHistoryMessage = 16 << 10
)

// historyLockTimeout limits the wait for the lock. Writers hold it only while they write a line.
const historyLockTimeout = 5 * time.Second

// History stores the user's messages in a file in the data folder. It is safe for concurrent use,
// also by several processes, and keeps no file open.
type History struct {
	path string
	now  func() time.Time
}

// NewHistory returns the history in a file. The first message creates the file.
func NewHistory(path string, now func() time.Time) *History { return &History{path, now} }

// historyLine is a message in the file.
type historyLine struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Messages returns the saved messages, oldest first. Invalid lines are skipped, because a program
// may have crashed while it wrote one.
func (f *History) Messages(ctx context.Context) ([]string, error) {
	release, err := f.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the input history: %w", err)
	}
	defer release()
	lines, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("read the input history: %w", err)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Text
	}
	return out, nil
}

// Add saves a message if KeepsInHistory allows it. It removes the oldest messages if there are too
// many.
func (f *History) Add(ctx context.Context, text string) error {
	if !KeepsInHistory(text) {
		return nil
	}
	if err := f.add(ctx, historyLine{f.now().UTC().Truncate(time.Second), text}); err != nil {
		return fmt.Errorf("save the input history: %w", err)
	}
	return nil
}

func (f *History) add(ctx context.Context, l historyLine) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	release, err := f.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	size, err := f.append(append(raw, '\n'))
	if err != nil {
		return err
	}
	if over, err := f.overLimit(size); err != nil || !over {
		return err
	}
	return f.shorten()
}

// minHistoryLine is the minimum length of a line. A file shorter than MaxHistoryMessages such lines
// need not be counted.
const minHistoryLine = int64(len(`{"at":"2006-01-02T15:04:05Z","text":""}` + "\n"))

// overLimit reports whether the file, which has size bytes, exceeds a limit.
func (f *History) overLimit(size int64) (bool, error) {
	if size > MaxHistoryBytes || size < MaxHistoryMessages*minHistoryLine {
		return size > MaxHistoryBytes, nil
	}
	raw, err := os.ReadFile(f.path)
	return bytes.Count(raw, []byte{'\n'}) > MaxHistoryMessages, err
}

// lock locks the history against other readers and writers. It uses a separate file, because
// shorten replaces the history file.
func (f *History) lock(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, historyLockTimeout)
	defer cancel()
	lock := flock.New(f.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return nil, fmt.Errorf("another nfa process is writing to it: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}

// append appends raw and returns the new size of the file.
func (f *History) append(raw []byte) (size int64, err error) {
	if err := checkRegularFile(f.path); err != nil {
		return 0, err
	}
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if err := file.Chmod(0o600); err != nil && info.Mode().Perm() != 0o600 {
		return 0, err
	}
	if size = info.Size(); size > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, size-1); err != nil {
			return 0, err
		}
		if last[0] != '\n' { // a process crashed while writing
			raw = append([]byte{'\n'}, raw...)
		}
	}
	n, err := file.Write(raw)
	return size + int64(n), err
}

// checkRegularFile refuses anything but a regular file, because opening a pipe would block.
func checkRegularFile(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file; move it away, or set history to off", path)
	}
	return nil
}

// read returns the newest lines within the limits, oldest first. It reads little more than the
// limits.
func (f *History) read() (lines []historyLine, err error) {
	if err := checkRegularFile(f.path); err != nil {
		return nil, err
	}
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	start := max(size-MaxHistoryBytes, 0)
	raw, err := io.ReadAll(io.NewSectionReader(file, start, MaxHistoryBytes))
	if err != nil {
		return nil, err
	}
	if start > 0 { // the first line is incomplete
		_, raw, _ = bytes.Cut(raw, []byte{'\n'})
	}
	lines = parseHistory(raw)
	return lines[max(len(lines)-MaxHistoryMessages, 0):], nil
}

// parseHistory parses lines and skips invalid ones.
func parseHistory(raw []byte) []historyLine {
	var lines []historyLine
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	scanner.Buffer(nil, len(raw)+1)
	for scanner.Scan() {
		var l historyLine
		if json.Unmarshal(scanner.Bytes(), &l) == nil && l.Text != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// shorten keeps only the newest messages. It removes more than necessary, so that it does not run
// after every message.
func (f *History) shorten() error {
	lines, err := f.read()
	if err != nil {
		return err
	}
	lines = lines[max(len(lines)-MaxHistoryMessages*3/4, 0):]
	first, size := len(lines), 0
	raw := make([][]byte, len(lines))
	for ; first > 0; first-- {
		if raw[first-1], err = json.Marshal(lines[first-1]); err != nil {
			return err
		}
		if size += len(raw[first-1]) + 1; size > MaxHistoryBytes*3/4 {
			break
		}
	}
	return atomicfile.Replace(f.path, append(bytes.Join(raw[first:], []byte{'\n'}), '\n'), 0o600)
}
