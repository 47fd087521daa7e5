package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrExists means that the file exists and may not be replaced.
var ErrExists = errors.New("already exists")

// Create writes a file in one step, like Replace. It returns ErrExists if the file exists and replace is
// false.
func Create(path string, text []byte, perm fs.FileMode, replace bool) error {
	if _, err := os.Lstat(path); err == nil && !replace {
		return fmt.Errorf("%s %w", path, ErrExists)
	}
	if err := Replace(path, text, perm); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
