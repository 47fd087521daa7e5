package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/skill"
)

const (
	// stagingDir lies in the skills folder, because only there is a rename sure
	// to stay on one file system.
	stagingDir = ".nfa-staging"
	planFile   = stagingDir + "/plan.json"
	lockFile   = ".nfa-lock"
	// lockTimeout is how long another program may take for a change of its own.
	lockTimeout       = 5 * time.Second
	lockRetryInterval = 20 * time.Millisecond
)

// stagingPath is deeper than skills are looked for, so that no scan takes what
// lies in it for one.
func stagingPath(elem ...string) string {
	deep := path.Join(stagingDir, strings.Repeat("deep/", skill.MaxDepth))
	return path.Join(append([]string{deep}, elem...)...)
}

// disk is what a change asks of the file system. No name leads out of the folder.
type disk interface {
	MkdirAll(name string, perm fs.FileMode) error
	// WriteFile makes a new file that only its owner may read, and returns when
	// it would survive a loss of power.
	WriteFile(name string, data []byte) error
	// SyncDir does the same for the entries of a directory.
	SyncDir(name string) error
	Rename(from, to string) error
	RemoveAll(name string) error
}

// rootDisk is a directory on disk, which no link leads out of.
type rootDisk struct{ *os.Root }

func (d rootDisk) WriteFile(name string, data []byte) error {
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (d rootDisk) SyncDir(name string) error {
	// Windows opens no directory for writing, and needs none to be synced.
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := d.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// plannedMove is one rename; a path is from the skills folder, with slashes.
type plannedMove struct{ From, To string }

// folderChange is a set of renames in the skills folder of which either all happen or
// none, also when the program is killed among them: the plan is on disk before
// the first, and who finds a plan later undoes what it tells of.
type folderChange struct {
	disk
	root  *os.Root
	moves []plannedMove
}

// applyChange runs fn, which prepares files in the staging directory and plans moves,
// and then makes the moves. When anything fails, the folder is as it was.
func (i *Installer) applyChange(fn func(*folderChange) error) error {
	return i.withFolderLock(func(c *folderChange) error { return c.apply(fn) })
}

// withFolderLock runs fn while no other program changes the folder, after undoing what
// one that was killed has begun.
func (i *Installer) withFolderLock(fn func(*folderChange) error) (err error) {
	root, err := i.openFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	unlock, err := i.lock()
	if err != nil {
		return err
	}
	defer unlock()
	c := &folderChange{disk: rootDisk{root}, root: root}
	if i.disk != nil {
		c.disk = i.disk(c.disk)
	}
	if err := c.recover(); err != nil {
		return notWritable(err)
	}
	return fn(c)
}

// openFolder makes the folder where it is missing.
func (i *Installer) openFolder() (*os.Root, error) {
	err := os.MkdirAll(i.Dir, 0o700)
	// A file, or a link that leads nowhere, in the place of a folder.
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w: %w", ErrNotWritable, err)
	}
	if err != nil {
		return nil, notWritable(err)
	}
	root, err := os.OpenRoot(i.Dir)
	return root, notWritable(err)
}

// apply is one change among those that are made while the folder is ours.
func (c *folderChange) apply(fn func(*folderChange) error) error {
	c.moves = nil
	if err := c.run(fn); err != nil {
		return notWritable(errors.Join(err, c.recover()))
	}
	// The change stands. What is left of the staging is out of sight, and the
	// next change removes it.
	_ = c.RemoveAll(stagingDir)
	return nil
}

func (i *Installer) lock() (unlock func(), err error) {
	lock := flock.New(filepath.Join(i.Dir, lockFile), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, lockRetryInterval)
	switch {
	case errors.Is(err, context.DeadlineExceeded) || err == nil && !locked:
		return nil, ErrBusy
	case err != nil:
		return nil, notWritable(err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// notWritable marks the errors of a folder that may not be changed at all.
func notWritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", ErrNotWritable, err)
	}
	return err
}

func (c *folderChange) run(fn func(*folderChange) error) error {
	if err := fn(c); err != nil || len(c.moves) == 0 {
		return err
	}
	plan, err := json.Marshal(c.moves)
	if err != nil {
		return err
	}
	if err := c.WriteFile(planFile, plan); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	if err := c.SyncDir(stagingDir); err != nil {
		return err
	}
	for _, m := range c.moves {
		if err := c.Rename(m.From, m.To); err != nil {
			return err
		}
		if err := errors.Join(c.SyncDir(path.Dir(m.From)), c.SyncDir(path.Dir(m.To))); err != nil {
			return err
		}
	}
	// From here on the change stands: without its plan, nothing is undone.
	return c.Rename(planFile, planFile+".done")
}

// recover undoes the change that a plan on disk tells of, and clears the staging.
// The staging stays when that is not possible, for whoever tries next.
func (c *folderChange) recover() error {
	plan, err := c.root.ReadFile(planFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading the plan: %w", err)
	}
	var moves []plannedMove
	// A plan cut short was never begun: it is whole on disk before the first move.
	if json.Unmarshal(plan, &moves) != nil {
		moves = nil
	}
	for k := len(moves) - 1; k >= 0; k-- {
		m := moves[k]
		if c.exists(m.From) || !c.exists(m.To) {
			continue
		}
		if err := c.Rename(m.To, m.From); err != nil {
			return fmt.Errorf("putting %s back: %w", m.From, err)
		}
	}
	if !c.exists(stagingDir) {
		return nil
	}
	return c.RemoveAll(stagingDir)
}

// pendingUndo reports whether what has a name in the folder was put there by a
// change that could not be undone when the folder turned read-only half way. The
// next change that can write takes it away.
func (i *Installer) pendingUndo(name string) bool {
	plan, err := os.ReadFile(filepath.Join(i.Dir, filepath.FromSlash(planFile)))
	var moves []plannedMove
	if err != nil || json.Unmarshal(plan, &moves) != nil {
		return false
	}
	placed := slices.ContainsFunc(moves, func(m plannedMove) bool { return m.To == name })
	return placed && !slices.ContainsFunc(moves, func(m plannedMove) bool { return m.From == name })
}

func (c *folderChange) exists(name string) bool {
	_, err := c.root.Lstat(name)
	return err == nil
}

// stage writes a whole skill into the staging directory, synced to the last
// entry, and returns its place.
func (c *folderChange) stage(b bundle, name string) (string, error) {
	dir := stagingPath("new", name)
	made := map[string]bool{}
	for _, f := range b.files {
		file := path.Join(dir, f.path)
		if err := c.MkdirAll(path.Dir(file), 0o700); err != nil {
			return "", fmt.Errorf("staging %s: %w", name, err)
		}
		if err := c.WriteFile(file, f.data); err != nil {
			return "", fmt.Errorf("staging %s: %w", name, err)
		}
		for parent := path.Dir(file); parent != path.Dir(dir); parent = path.Dir(parent) {
			made[parent] = true
		}
	}
	for parent := range made {
		if err := c.SyncDir(parent); err != nil {
			return "", fmt.Errorf("staging %s: %w", name, err)
		}
	}
	return dir, nil
}

// setAside plans to move what stands at a path out of the way, for good once the
// change is done.
func (c *folderChange) setAside(name string) error {
	aside := stagingPath("old", name)
	if err := c.MkdirAll(path.Dir(aside), 0o700); err != nil {
		return fmt.Errorf("setting %s aside: %w", name, err)
	}
	c.moves = append(c.moves, plannedMove{name, aside})
	return nil
}
