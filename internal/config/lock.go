package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockFile prevents other processes from writing a settings file until release. Otherwise a process
// that read the file earlier would overwrite their change. The lock file is not deleted, because a
// waiting process has it open.
func lockFile(path string) (release func(), err error) {
	const timeout, retry = 5 * time.Second, 5 * time.Millisecond
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("write settings: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, retry); err != nil {
		return nil, fmt.Errorf("write settings: another program is writing them: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}
