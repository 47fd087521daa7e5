// Package diskfile reads and replaces the small files that the program keeps for the
// user: settings, keys, approvals. What reads never waits for a pipe and never fills
// the memory; what writes leaves the old file or the new one, whatever happens.
package diskfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// What callers tell apart, beside fs.ErrNotExist.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
)

// Read gives a whole file of at most so many bytes, with its permissions. It looks
// before it opens, because opening a pipe would wait for somebody to write. The errors
// are ErrNotRegular, ErrTooLarge and those of the system, which name the path.
func Read(path string, most int64) (text []byte, perm fs.FileMode, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	text, err = io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, 0, err
	case int64(len(text)) > most:
		return nil, 0, fmt.Errorf("%s: %w: over %d bytes", path, ErrTooLarge, most)
	}
	return text, info.Mode().Perm(), nil
}

// Replace puts text in the place of the file at path, or makes it, in one step: whoever
// reads finds the one or the other whole, also after a loss of power. Until it has its
// name the new file is for the user alone. Where path is a link, the link is replaced.
func Replace(path string, text []byte, perm fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(perm), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
