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

// SandboxStore keeps a distribution in a folder, with its compiled form beside it. It
// is safe for concurrent use, and several processes may share a folder.
type SandboxStore struct {
	dir          string
	dist         SandboxDistribution
	stallTimeout time.Duration // how long a server may send nothing

	mu      sync.Mutex
	checked fileStamp // the file whose bytes hashed right
}

// fileStamp tells whether a file was written since it was hashed.
type fileStamp struct {
	size  int64
	mtime time.Time
}

// NewSandboxStore keeps dist in dir, which Install creates.
func NewSandboxStore(dir string, dist SandboxDistribution) *SandboxStore {
	return &SandboxStore{dir: dir, dist: dist.orDefault(), stallTimeout: defaultStallTimeout}
}

// Path is where the file lies once it is installed. Its name carries its hash,
// so that two builds never meet.
func (s *SandboxStore) Path() string {
	return filepath.Join(s.dir, "python-"+s.dist.SHA256[:min(16, len(s.dist.SHA256))]+".wasm")
}

// SHA256 is what the file must hash to, in hexadecimal.
func (s *SandboxStore) SHA256() string { return s.dist.SHA256 }

// CompiledDir is where the compiled form of the file is kept.
func (s *SandboxStore) CompiledDir() string { return filepath.Join(s.dir, "compiled") }

// Check returns nil when the file is there and whole, ErrSandboxNotInstalled or
// ErrSandboxDamaged when it is not. Bytes are hashed once for each state of the file.
func (s *SandboxStore) Check() error {
	info, err := os.Stat(s.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrSandboxNotInstalled
	case err != nil:
		return fmt.Errorf("checking the Python sandbox: %w", err)
	}
	current := fileStamp{size: info.Size(), mtime: info.ModTime()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked == current {
		return nil
	}
	sum, err := hashFile(s.Path())
	if err != nil {
		return fmt.Errorf("checking the Python sandbox: %w", err)
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

// Install fetches the file unless it is there and whole. It replaces a damaged
// one, waits for another process that is fetching the same, and leaves nothing
// behind when it does not succeed. Progress may be nil; total is -1 where the
// server does not tell.
func (s *SandboxStore) Install(ctx context.Context, progress func(done, total int64)) error {
	if err := s.dist.validate(); err != nil {
		return fmt.Errorf("installing the Python sandbox: %w", err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("installing the Python sandbox: %w", err)
	}
	lock := flock.New(filepath.Join(s.dir, "install.lock"))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return fmt.Errorf("waiting for another installation of the Python sandbox: %w", err)
	}
	defer lock.Close()
	if s.Check() == nil {
		return nil
	}
	if err := s.fetch(ctx, progress); err != nil {
		return fmt.Errorf("fetching the Python sandbox from %s: %w", s.dist.URL, err)
	}
	return nil
}
