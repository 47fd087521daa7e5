package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrExists means that a file is there already and was not written over.
var ErrExists = errors.New("is there already")

// Create writes a file that must not be there yet, unless it may be replaced. One that
// is there stays until the new one is whole.
func Create(path string, text []byte, perm fs.FileMode, replace bool) error {
	if _, err := os.Lstat(path); err == nil && !replace {
		return fmt.Errorf("%s %w", path, ErrExists)
	}
	if err := Replace(path, text, perm); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
