package atomicfile

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
func Read(path string, limit int64) (text []byte, perm fs.FileMode, err error) {
	info, err := os.Stat(path)
	if err = checkReadable(info, err, path, limit); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	info, err = f.Stat()
	if err = checkReadable(info, err, path, limit); err != nil {
		return nil, 0, err
	}
	text, err = io.ReadAll(io.LimitReader(f, limit+1)) // it may be growing
	switch {
	case err != nil:
		return nil, 0, err
	case int64(len(text)) > limit:
		return nil, 0, tooLarge(path, limit)
	}
	return text, info.Mode().Perm(), nil
}

// checkReadable is why what Stat has said is not read, or nil.
func checkReadable(info fs.FileInfo, err error, path string, limit int64) error {
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, ErrNotRegular)
	case info.Size() > limit:
		return tooLarge(path, limit)
	}
	return nil
}

func tooLarge(path string, limit int64) error {
	return fmt.Errorf("%s: %w: over %d bytes", path, ErrTooLarge, limit)
}

// Replace puts text in the place of the file at path, or makes it, in one step: whoever
// reads finds the one or the other whole, also after a loss of power. Until it has its
// name the new file is for the user alone, and one that was left without it, because
// the program was ended there, is removed by a later Replace of the same path. Where
// path is a link, the link is replaced.
func Replace(path string, text []byte, perm fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*"+tempSuffix) // 0600
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
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	removeAbandoned(path, info.ModTime().Add(-tempLifetime))
	return nil
}

// A new file is called .NAME-DIGITS.new until it has its name; after an hour nobody
// writes it any more.
const (
	tempSuffix   = ".new"
	tempLifetime = time.Hour
)

func tempPrefix(path string) string { return "." + filepath.Base(path) + "-" }

// removeAbandoned removes what was left of the file at path before a time by the clock of its file
// system. What cannot be removed now may be by the next.
func removeAbandoned(path string, before time.Time) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		digits, ours := strings.CutPrefix(e.Name(), tempPrefix(path))
		digits, ends := strings.CutSuffix(digits, tempSuffix)
		if !ours || !ends || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}
