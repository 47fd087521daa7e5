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

// The errors that callers distinguish, in addition to fs.ErrNotExist.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
)

// Read returns a whole file of at most limit bytes, with its permissions. See ReadInfo.
func Read(path string, limit int64) (text []byte, perm fs.FileMode, err error) {
	text, info, err := ReadInfo(path, limit)
	if err != nil {
		return nil, 0, err
	}
	return text, info.Mode().Perm(), nil
}

// ReadInfo returns a whole file of at most limit bytes, with its owner and permissions. It checks the
// file before it opens it, because opening a pipe would block, and again after opening, so that text
// and info belong to the same file. It blocks only if a pipe replaces the file between the two checks.
// The errors are ErrNotRegular, ErrTooLarge and those of the system, which name the path.
func ReadInfo(path string, limit int64) (text []byte, info fs.FileInfo, err error) {
	info, err = os.Stat(path)
	if err = checkReadable(info, err, path, limit); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	info, err = f.Stat()
	if err = checkReadable(info, err, path, limit); err != nil {
		return nil, nil, err
	}
	text, err = io.ReadAll(io.LimitReader(f, limit+1)) // it may be growing
	switch {
	case err != nil:
		return nil, nil, err
	case int64(len(text)) > limit:
		return nil, nil, tooLarge(path, limit)
	}
	return text, info, nil
}

// checkReadable checks the result of a Stat.
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

// Replace writes text to the file at path in one step. Readers see the old or the new content, even
// after a loss of power. The temporary file is readable only by the user. If the program ends
// before the rename, a later Replace of the same path removes that file. If path is a link, Replace
// replaces the link itself.
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
	if perm != 0o600 { // CreateTemp sets 0600, and some file systems refuse every chmod
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

// A temporary file is named .NAME-DIGITS.new. After an hour it counts as abandoned.
const (
	tempSuffix   = ".new"
	tempLifetime = time.Hour
)

func tempPrefix(path string) string { return "." + filepath.Base(path) + "-" }

// removeAbandoned removes temporary files for path that are older than before, by the clock of the
// file system. It ignores errors; a later call tries again.
func removeAbandoned(path string, before time.Time) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		digits, hasPrefix := strings.CutPrefix(e.Name(), tempPrefix(path))
		digits, hasSuffix := strings.CutSuffix(digits, tempSuffix)
		if !hasPrefix || !hasSuffix || digits == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}
