package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/skill"
)

const (
	// stagingDir is in the skills folder, so that renames stay on one file system.
	stagingDir = skill.StagingDir
	lockFile   = ".nfa-lock"
	// lockTimeout is how long to wait for another program.
	lockTimeout       = 5 * time.Second
	lockRetryInterval = 20 * time.Millisecond
)

// disk is the part of the file system that a change needs, confined to the folder.
type disk interface {
	MkdirAll(name string, perm fs.FileMode) error
	// WriteFile creates a file that only its owner can read.
	WriteFile(name string, data []byte) error
	Rename(from, to string) error
	RemoveAll(name string) error
}

// rootDisk is a confined directory on disk.
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

// plannedMove is one rename; paths are relative to the skills folder, with slashes.
type plannedMove struct{ From, To string }

// folderChange is a set of renames in the skills folder. If one fails, those before it are undone.
type folderChange struct {
	disk
	root  *os.Root
	moves []plannedMove
}

// applyChange locks the folder, runs fn, which stages files and plans moves, and then makes the
// moves. If anything fails, the folder is unchanged.
func (i *Installer) applyChange(fn func(*folderChange) error) error {
	return i.withFolderLock(func(c *folderChange) error { return c.apply(fn) })
}

// withFolderLock creates the folder if needed, completes an interrupted change, and runs fn while
// no other program changes the folder.
func (i *Installer) withFolderLock(fn func(*folderChange) error) (err error) {
	if err := os.MkdirAll(i.Dir, 0o700); errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist) {
		// A file, or a broken link, has the folder's name.
		return fmt.Errorf("%w: %w", ErrNotWritable, err)
	} else if err != nil {
		return notWritable(err)
	}
	root, err := os.OpenRoot(i.Dir)
	if err != nil {
		return notWritable(err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	lock := flock.New(filepath.Join(i.Dir, lockFile), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	switch locked, err := lock.TryLockContext(ctx, lockRetryInterval); {
	case errors.Is(err, context.DeadlineExceeded) || err == nil && !locked:
		return ErrBusy
	case err != nil:
		return notWritable(err)
	}
	defer func() { _ = lock.Unlock() }()
	c := &folderChange{disk: rootDisk{root}, root: root}
	if i.disk != nil {
		c.disk = i.disk(c.disk)
	}
	if err := c.restore(); err != nil {
		return notWritable(err)
	}
	return fn(c)
}

// apply makes one change while the folder is locked.
func (c *folderChange) apply(fn func(*folderChange) error) error {
	c.moves = nil
	err := fn(c)
	if err == nil {
		err = c.makeMoves()
	}
	// If the staging directory cannot be removed now, the next change removes it.
	if cleanup := c.RemoveAll(stagingDir); err != nil {
		return notWritable(errors.Join(err, cleanup))
	}
	return nil
}

// makeMoves makes the planned moves. If one fails, those before it are undone.
func (c *folderChange) makeMoves() error {
	for done, m := range c.moves {
		if err := c.Rename(m.From, m.To); err != nil {
			for _, m := range slices.Backward(c.moves[:done]) {
				err = errors.Join(err, c.Rename(m.To, m.From))
			}
			return err
		}
	}
	return nil
}

// notWritable wraps errors of a folder without write permission in ErrNotWritable.
func notWritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", ErrNotWritable, err)
	}
	return err
}

// restore moves back skills that an interrupted change moved but did not replace, and clears the
// staging directory.
func (c *folderChange) restore() error {
	if !c.exists(stagingDir) {
		return nil
	}
	olds, err := fs.Glob(c.root.FS(), path.Join(stagingDir, "old", "*", "*"))
	if err != nil {
		return err
	}
	olds = slices.DeleteFunc(olds, func(old string) bool { return c.exists(path.Base(path.Dir(old))) })
	for _, old := range olds {
		name, err := url.PathUnescape(path.Base(old))
		if err == nil {
			err = c.Rename(old, name)
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", name, err)
		}
	}
	return c.RemoveAll(stagingDir)
}

func (c *folderChange) exists(name string) bool {
	_, err := c.root.Lstat(name)
	return err == nil
}

// stage writes a whole skill into the staging directory and returns its path.
func (c *folderChange) stage(b bundle, name string) (string, error) {
	dir := path.Join(stagingDir, "new", name)
	for _, f := range b.files {
		file := path.Join(dir, f.path)
		if err := errors.Join(c.MkdirAll(path.Dir(file), 0o700), c.WriteFile(file, f.data)); err != nil {
			return "", fmt.Errorf("stage %s: %w", name, err)
		}
	}
	return dir, nil
}

// setAside plans to move a directory out of the way of successor. Its new path contains both names,
// so that restore can move it back.
func (c *folderChange) setAside(dir, successor string) error {
	aside := path.Join(stagingDir, "old", successor, url.PathEscape(dir))
	if err := c.MkdirAll(path.Dir(aside), 0o700); err != nil {
		return fmt.Errorf("move %s aside: %w", dir, err)
	}
	c.moves = append(c.moves, plannedMove{dir, aside})
	return nil
}
