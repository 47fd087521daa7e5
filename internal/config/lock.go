package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockFile keeps other programs from writing a settings file until release: each puts
// what it has read, and one line of its own, in the place of the file, and would undo
// what another wrote between. The lock file stays, as whoever waits for it has it open.
func lockFile(path string) (release func(), err error) {
	const patience, retry = 5 * time.Second, 5 * time.Millisecond
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("writing the settings: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, retry); err != nil {
		return nil, fmt.Errorf("writing the settings: waiting for another program that writes them: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}
