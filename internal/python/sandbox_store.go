package python

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// SandboxStore keeps a distribution and its compiled form in a folder. It is safe for concurrent
// use, and several processes may share a folder.
type SandboxStore struct {
	dir          string
	dist         SandboxDistribution
	stallTimeout time.Duration // how long a server may send nothing

	mu      sync.Mutex
	checked fileStamp // the file whose hash was correct
}

// fileStamp detects whether a file has changed since it was hashed.
type fileStamp struct {
	size  int64
	mtime time.Time
}

// NewSandboxStore returns a store of dist in dir, which Install creates.
func NewSandboxStore(dir string, dist SandboxDistribution) *SandboxStore {
	return &SandboxStore{dir: dir, dist: dist.orDefault(), stallTimeout: defaultStallTimeout}
}

// Path returns the path of the installed file. Its name contains its hash, so that builds do not
// conflict.
func (s *SandboxStore) Path() string {
	return filepath.Join(s.dir, "python-"+s.dist.SHA256[:min(16, len(s.dist.SHA256))]+".wasm")
}

// SHA256 returns the expected hash of the file, hexadecimal.
func (s *SandboxStore) SHA256() string { return s.dist.SHA256 }

// CompiledDir returns the folder of the compiled file.
func (s *SandboxStore) CompiledDir() string { return filepath.Join(s.dir, "compiled") }

// Check returns nil if the file exists and is intact, else ErrSandboxNotInstalled or
// ErrSandboxDamaged. It hashes the file once, until it changes.
func (s *SandboxStore) Check() error {
	info, err := os.Stat(s.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrSandboxNotInstalled
	case err != nil:
		return fmt.Errorf("check the Python sandbox: %w", err)
	}
	current := fileStamp{size: info.Size(), mtime: info.ModTime()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked == current {
		return nil
	}
	sum, err := hashFile(s.Path())
	if err != nil {
		return fmt.Errorf("check the Python sandbox: %w", err)
	}
	if sum != s.dist.SHA256 {
		return fmt.Errorf("%w: %s has sha256 %s", ErrSandboxDamaged, s.Path(), sum)
	}
	s.checked = current
	return nil
}

func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxDownloadBytes+1)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Install downloads the file unless it exists and is intact. It replaces a damaged file, waits for
// another process that downloads it, and leaves nothing behind if it fails. progress may be nil;
// total is -1 if the server does not report the size.
func (s *SandboxStore) Install(ctx context.Context, progress func(done, total int64)) error {
	if err := s.dist.validate(); err != nil {
		return fmt.Errorf("install the Python sandbox: %w", err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("install the Python sandbox: %w", err)
	}
	lock := flock.New(filepath.Join(s.dir, "install.lock"))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return fmt.Errorf("wait for another installation of the Python sandbox: %w", err)
	}
	defer lock.Close()
	if s.Check() == nil {
		return nil
	}
	if err := s.fetch(ctx, progress); err != nil {
		return fmt.Errorf("download the Python sandbox from %s: %w", s.dist.URL, err)
	}
	return nil
}
