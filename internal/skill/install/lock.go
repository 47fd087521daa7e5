package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// LockFileName is the file in the data folder that records where installed skills come from.
const LockFileName = "skills-lock.json"

// maxLockBytes is far larger than any real lock file.
const maxLockBytes = 4 << 20

// Origin is where an installed skill comes from.
type Origin struct {
	Source string `json:"source"` // a repository URL, or the path of a file that was imported
	Path   string `json:"path,omitempty"`
	// Ref is the requested branch or tag; empty means the default branch.
	Ref    string `json:"ref,omitempty"`
	Commit string `json:"commit,omitempty"` // empty for an import from a file
	// Hash identifies the files as installed.
	Hash string    `json:"hash,omitempty"`
	At   time.Time `json:"installed_at"`
	// Previous is the version before the last update, for a rollback.
	Previous *Origin `json:"previous,omitempty"`
}

// Lock records the origin of each installed skill, in a file that several processes can share.
type Lock struct{ path string }

type lockFileContent struct {
	Version int               `json:"version"`
	Skills  map[string]Origin `json:"skills"`
}

// OpenLock returns the lock of a data folder, without reading it.
func OpenLock(home string) Lock { return Lock{filepath.Join(home, LockFileName)} }

// Origins returns the origins by skill. A missing file has none.
func (l Lock) Origins() (map[string]Origin, error) {
	text, _, err := atomicfile.Read(l.path, maxLockBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Origin{}, nil
	}
	var content lockFileContent
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; fix or delete the file", l.path, err)
	}
	if content.Skills == nil {
		content.Skills = map[string]Origin{}
	}
	return content.Skills, nil
}

// Update changes the origins while no other process does.
func (l Lock) Update(change func(origins map[string]Origin)) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("create the folder of %s: %w", l.path, err)
	}
	lock := flock.New(l.path+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockRetryInterval); err != nil {
		return fmt.Errorf("lock %s: %w", l.path, err)
	}
	defer func() { _ = lock.Unlock() }()
	origins, err := l.Origins()
	if err != nil {
		return err
	}
	change(origins)
	text, err := json.MarshalIndent(lockFileContent{Version: 1, Skills: origins}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(l.path, append(text, '\n'), 0o600)
}
