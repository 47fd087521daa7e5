package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// WriteTarget is a file as it stands before it is written.
type WriteTarget struct {
	Path   string // as it may be shown to anyone
	Abs    string // for the person at the keyboard
	Exists bool
	Size   int64 // of the file that is there, in bytes
}

// Target tells what a Write to path would meet, and changes nothing. The errors
// are those of Write, but for what only the writing shows.
func (w *Workspace) Target(path string) (WriteTarget, error) {
	p, err := w.locateWritable(path)
	if err != nil {
		return WriteTarget{}, err
	}
	root, to, _, err := w.openTarget(p)
	if errors.Is(err, fs.ErrNotExist) && p.inHome && len(p.segments) == 2 {
		return WriteTarget{Path: p.String(), Abs: p.abs()}, nil // Write makes the folder of reports
	}
	if err != nil {
		return WriteTarget{}, err
	}
	return to, root.Close()
}

// Write makes a new file with data: all of it, or no file. It is readable for its
// owner alone in nfa's home, and as the system has it elsewhere. A file that is
// there stays as it is, and the error is fs.ErrExist, unless replace is set: then
// it is replaced at once and keeps its permissions. Folders are not made, but for
// the home's reports.
func (w *Workspace) Write(path string, data []byte, replace bool) (WriteTarget, error) {
	to, err := w.WriteAll([]OutputFile{{Path: path, Data: data}}, replace)
	return to[0], err
}

// locateWritable is the place of a file that may be written, by its path alone.
func (w *Workspace) locateWritable(path string) (location, error) {
	p, err := w.locate(path)
	switch {
	case err != nil:
		return p, err
	case len(p.segments) == 0:
		return p, fmt.Errorf("%s: %w", p, ErrNotFile)
	case strings.EqualFold(p.segments[len(p.segments)-1], "SKILL.md"):
		return p, fmt.Errorf("%s: %w", p, ErrReadOnly) // it would instruct the assistant
	case p.inHome && (p.segments[0] != reportsFolder || len(p.segments) < 2):
		return p, fmt.Errorf("%s: %w", p, ErrReadOnly)
	}
	return p, nil
}

// openTarget opens the folder of a file that is to be written, and gives the
// permissions that the file has or should get.
func (w *Workspace) openTarget(p location) (*os.Root, WriteTarget, fs.FileMode, error) {
	root, p, name, err := w.openParent(p, purposeWrite)
	if err != nil {
		return nil, WriteTarget{}, 0, err
	}
	to := WriteTarget{Path: p.String(), Abs: p.abs()}
	perm := fs.FileMode(0o644)
	if p.inHome {
		perm = 0o600
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return root, to, perm, nil
	case err == nil:
		err = checkRegular(info)
	}
	if err != nil {
		return nil, to, 0, errors.Join(fmt.Errorf("%s: %w", p, stripPath(err)), root.Close())
	}
	to.Exists, to.Size = true, info.Size()
	return root, to, info.Mode().Perm(), nil
}

// writeTemporary writes data to a temporary file in the folder of the target.
func (w *Workspace) writeTemporary(root *os.Root, data []byte, perm fs.FileMode) (name string, err error) {
	name = ".nfa-" + rand.Text() + ".tmp"
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	err = errors.Join(w.writeContent(f, data), f.Close())
	if err != nil {
		return "", errors.Join(err, root.Remove(name))
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

// replaceFile gives the temporary file its name. To replace nothing the name is
// claimed first, which only one can do.
func replaceFile(root *os.Root, temporary, name string, replace bool) error {
	claimed := false
	if !replace {
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return errors.Join(err, root.Remove(temporary))
		}
		claimed = true
		if err := f.Close(); err != nil {
			return errors.Join(err, root.Remove(temporary), root.Remove(name))
		}
	}
	err := root.Rename(temporary, name)
	if err == nil {
		return nil
	}
	err = errors.Join(err, root.Remove(temporary))
	if claimed {
		err = errors.Join(err, root.Remove(name))
	}
	return err
}
