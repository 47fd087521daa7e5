package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrExists means that the file exists and may not be replaced.
var ErrExists = errors.New("is there already")

// Create writes a file that must not exist yet, unless replace is true. An existing file stays
// until the new one is complete.
func Create(path string, text []byte, perm fs.FileMode, replace bool) error {
	if _, err := os.Lstat(path); err == nil && !replace {
		return fmt.Errorf("%s %w", path, ErrExists)
	}
	if err := Replace(path, text, perm); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
