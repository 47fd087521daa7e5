// Package history keeps what a user wrote into the chat, for later chats of the
// same home: a file of JSON lines that only its owner can read. Programs that run
// at the same time lose nothing of each other's. What looks like a key is not kept,
// nor what begins with a space.
package history

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

	"github.com/nfa-cli/nfa/internal/diskfile"
)

// Bounds of what is kept.
const (
	MostMessages = 2_000
	MostBytes    = 1 << 20
	// LongestMessage is the most bytes of one message. A longer one is not kept.
	LongestMessage = 16 << 10
)

// patience is how long the lock is waited for. Whoever holds it writes a line.
const patience = 5 * time.Second

// File is the messages of a home. Make it with New. It is safe for concurrent use,
// by several programs as well, and keeps nothing open.
type File struct {
	path string
	now  func() time.Time
}

// New names the file. It touches nothing: the file is made with the first message.
func New(path string, now func() time.Time) *File { return &File{path, now} }

// line is a message on the disk.
type line struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Messages are those kept, oldest first; none where there is no file. Lines that
// are none are left out: a program may have died while it wrote one.
func (f *File) Messages(ctx context.Context) ([]string, error) {
	release, err := f.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading what was written before: %w", err)
	}
	defer release()
	lines, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("reading what was written before: %w", err)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Text
	}
	return out, nil
}

// Add keeps a message, unless it is not one to keep: see Keeps. The oldest go
// where there are too many.
func (f *File) Add(ctx context.Context, text string) error {
	if !Keeps(text) {
		return nil
	}
	if err := f.add(ctx, line{f.now().UTC().Truncate(time.Second), text}); err != nil {
		return fmt.Errorf("keeping what was written: %w", err)
	}
	return nil
}

func (f *File) add(ctx context.Context, l line) error {
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
	if full, err := f.full(size); err != nil || !full {
		return err
	}
	return f.shorten()
}

// shortestLine is less than any line takes: below so many bytes there cannot be too
// many messages, and nobody needs to count them.
const shortestLine = int64(len(`{"at":"2006-01-02T15:04:05Z","text":""}` + "\n"))

// full reports whether the file, which has so many bytes, is over a bound.
func (f *File) full(size int64) (bool, error) {
	if size > MostBytes || size < MostMessages*shortestLine {
		return size > MostBytes, nil
	}
	raw, err := os.ReadFile(f.path)
	return bytes.Count(raw, []byte{'\n'}) > MostMessages, err
}

// lock keeps other writers and readers out. It is not on the file itself, which
// shorten puts another in the place of.
func (f *File) lock(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	lock := flock.New(f.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for another program that writes it: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}

// append writes raw at the end, and gives the size of the file after it.
func (f *File) append(raw []byte) (size int64, err error) {
	if err := ordinary(f.path); err != nil {
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
		if last[0] != '\n' { // a program died while it wrote
			raw = append([]byte{'\n'}, raw...)
		}
	}
	n, err := file.Write(raw)
	return size + int64(n), err
}

// ordinary refuses what is no file of one's own: opening a pipe would wait.
func ordinary(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no ordinary file; move it away, or set history to off", path)
	}
	return nil
}

// read gives the newest lines that the bounds allow, oldest first. However large
// the file is, little more than the bounds is read of it.
func (f *File) read() (lines []line, err error) {
	if err := ordinary(f.path); err != nil {
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
	from := max(size-MostBytes, 0)
	raw, err := io.ReadAll(io.NewSectionReader(file, from, MostBytes))
	if err != nil {
		return nil, err
	}
	if from > 0 { // it begins in the middle of a line
		_, raw, _ = bytes.Cut(raw, []byte{'\n'})
	}
	lines = parse(raw)
	return lines[max(len(lines)-MostMessages, 0):], nil
}

// parse reads lines, and leaves out those that are none.
func parse(raw []byte) []line {
	var lines []line
	scanner := bufio.NewScanner(bytes.NewReader(raw))
	scanner.Buffer(nil, len(raw)+1)
	for scanner.Scan() {
		var l line
		if json.Unmarshal(scanner.Bytes(), &l) == nil && l.Text != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// shorten puts the newest messages in the place of the file. It leaves room, so
// that not every message after it shortens again.
func (f *File) shorten() error {
	lines, err := f.read()
	if err != nil {
		return err
	}
	lines = lines[max(len(lines)-MostMessages*3/4, 0):]
	kept, size := len(lines), 0
	raw := make([][]byte, len(lines))
	for ; kept > 0; kept-- {
		if raw[kept-1], err = json.Marshal(lines[kept-1]); err != nil {
			return err
		}
		if size += len(raw[kept-1]) + 1; size > MostBytes*3/4 {
			break
		}
	}
	return diskfile.Replace(f.path, append(bytes.Join(raw[kept:], []byte{'\n'}), '\n'), 0o600)
}
