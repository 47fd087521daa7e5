package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Target is a file as it stands before it is written.
type Target struct {
	Path   string // as it may be told to anyone
	Abs    string // for the person at the keyboard
	Exists bool
	Size   int64 // of the file that is there, in bytes
}

// Target tells what a Write to path would meet, and changes nothing. The errors
// are those of Write, but for what only the writing shows.
func (w *Workspace) Target(path string) (Target, error) {
	p, err := w.writable(path)
	if err != nil {
		return Target{}, err
	}
	at, to, _, err := w.openTarget(p)
	if errors.Is(err, fs.ErrNotExist) && p.home && len(p.steps) == 2 {
		return Target{Path: p.String(), Abs: p.abs()}, nil // Write makes the folder of reports
	}
	if err != nil {
		return Target{}, err
	}
	return to, at.Close()
}

// Write makes a new file with data: all of it, or no file. It is readable for its
// owner alone in nfa's home, and as the system has it elsewhere. A file that is
// there stays as it is, and the error is fs.ErrExist, unless replace is set: then
// it is replaced at once and keeps its permissions. Folders are not made, but for
// the home's reports.
func (w *Workspace) Write(path string, data []byte, replace bool) (Target, error) {
	to, err := w.WriteTogether([]File{{Path: path, Data: data}}, replace)
	return to[0], err
}

// writable is the place of a file that may be written, by its path alone.
func (w *Workspace) writable(path string) (place, error) {
	p, err := w.locate(path)
	switch {
	case err != nil:
		return p, err
	case len(p.steps) == 0:
		return p, fmt.Errorf("%s: %w", p, ErrNotFile)
	case strings.EqualFold(p.steps[len(p.steps)-1], "SKILL.md"):
		return p, fmt.Errorf("%s: %w", p, ErrReadOnly) // it would instruct the assistant
	case p.home && (p.steps[0] != reportsFolder || len(p.steps) < 2):
		return p, fmt.Errorf("%s: %w", p, ErrReadOnly)
	}
	return p, nil
}

// openTarget opens the folder of a file that is to be written, and gives the
// permissions that the file has or should get.
func (w *Workspace) openTarget(p place) (*os.Root, Target, fs.FileMode, error) {
	at, p, name, err := w.openParent(p, writing)
	if err != nil {
		return nil, Target{}, 0, err
	}
	to := Target{Path: p.String(), Abs: p.abs()}
	perm := fs.FileMode(0o644)
	if p.home {
		perm = 0o600
	}
	info, err := at.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return at, to, perm, nil
	case err == nil:
		err = ordinary(info)
	}
	if err != nil {
		return nil, to, 0, errors.Join(fmt.Errorf("%s: %w", p, cause(err)), at.Close())
	}
	to.Exists, to.Size = true, info.Size()
	return at, to, info.Mode().Perm(), nil
}

// prepare writes data beside the file, under a name of its own.
func (w *Workspace) prepare(at *os.Root, data []byte, perm fs.FileMode) (name string, err error) {
	name = ".nfa-" + rand.Text() + ".tmp"
	f, err := at.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	err = errors.Join(w.fill(f, data), f.Close())
	if err != nil {
		return "", errors.Join(err, at.Remove(name))
	}
	return name, nil
}

// writeAndSync returns when the data would survive a loss of power.
func writeAndSync(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// install gives the temporary file its name. To replace nothing the name is
// claimed first, which only one can do.
func install(at *os.Root, temporary, name string, replace bool) error {
	claimed := false
	if !replace {
		f, err := at.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return errors.Join(err, at.Remove(temporary))
		}
		claimed = true
		if err := f.Close(); err != nil {
			return errors.Join(err, at.Remove(temporary), at.Remove(name))
		}
	}
	err := at.Rename(temporary, name)
	if err == nil {
		return nil
	}
	err = errors.Join(err, at.Remove(temporary))
	if claimed {
		err = errors.Join(err, at.Remove(name))
	}
	return err
}
