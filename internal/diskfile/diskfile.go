// Package diskfile reads and replaces the small files that the program keeps for the
// user: settings, keys, approvals. What reads does not wait for a pipe that it finds
// and never fills the memory; what writes leaves the old file or the new one, whatever
// happens.
package diskfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What callers tell apart, beside fs.ErrNotExist.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
)

// Read gives a whole file of at most so many bytes, with its permissions. It looks
// before it opens, because opening a pipe would wait for somebody to write, and again
// at what it opened, so that text and permissions are of one file; only who puts a pipe
// there between the two makes it wait. The errors are ErrNotRegular, ErrTooLarge and
// those of the system, which name the path.
func Read(path string, most int64) (text []byte, perm fs.FileMode, err error) {
	info, err := os.Stat(path)
	if err = refusal(info, err, path, most); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	info, err = f.Stat()
	if err = refusal(info, err, path, most); err != nil {
		return nil, 0, err
	}
	text, err = io.ReadAll(io.LimitReader(f, most+1)) // it may be growing
	switch {
	case err != nil:
		return nil, 0, err
	case int64(len(text)) > most:
		return nil, 0, tooLarge(path, most)
	}
	return text, info.Mode().Perm(), nil
}

// refusal is why what Stat has said is not read, or nil.
func refusal(info fs.FileInfo, err error, path string, most int64) error {
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, ErrNotRegular)
	case info.Size() > most:
		return tooLarge(path, most)
	}
	return nil
}

func tooLarge(path string, most int64) error {
	return fmt.Errorf("%s: %w: over %d bytes", path, ErrTooLarge, most)
}

// Replace puts text in the place of the file at path, or makes it, in one step: whoever
// reads finds the one or the other whole, also after a loss of power. Until it has its
// name the new file is for the user alone, and one that was left without it, because
// the program was ended there, is removed by a later Replace of the same path. Where
// path is a link, the link is replaced.
func Replace(path string, text []byte, perm fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), unnamed(path)+"*"+unnamedEnd) // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if perm != 0o600 { // not where it has them: some file systems refuse every chmod
		err = errors.Join(err, f.Chmod(perm))
	}
	made, unknown := f.Stat()
	if err = errors.Join(err, unknown, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	sweep(path, made.ModTime().Add(-abandoned))
	return nil
}

// A new file is called .NAME-DIGITS.new until it has its name; after an hour nobody
// writes it any more.
const (
	unnamedEnd = ".new"
	abandoned  = time.Hour
)

func unnamed(path string) string { return "." + filepath.Base(path) + "-" }

// sweep removes what was left of the file at path before a time by the clock of its file
// system. What cannot be removed now may be by the next.
func sweep(path string, before time.Time) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		digits, ours := strings.CutPrefix(e.Name(), unnamed(path))
		digits, ends := strings.CutSuffix(digits, unnamedEnd)
		if !ours || !ends || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}
