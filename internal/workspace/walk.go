package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// open goes down the first depth steps of p, one at a time, so that what was
// looked at is what is opened even when somebody swaps a folder for a link
// meanwhile. The rules of nfa's home hold also where it is entered from above, or
// under another spelling of its name: p is then given back as a place in it.
func (w *Workspace) open(p place, depth int, why purpose) (*os.Root, place, error) {
	at, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, p, fmt.Errorf("%s: %w", p, cause(err))
	}
	for rest := p.steps[:depth]; ; rest = rest[1:] {
		if !p.home && w.isHome(at) {
			p = place{withoutLinks(w.home), p.steps[depth-len(rest):], true}
			depth = len(rest)
		}
		if p.home {
			err = homeAllows(p.steps, why)
		}
		if err != nil {
			return nil, p, fmt.Errorf("%s: %w", p, errors.Join(err, at.Close()))
		}
		if len(rest) == 0 {
			return at, p, nil
		}
		next, err := step(at, rest[0])
		if closeErr := at.Close(); err != nil || closeErr != nil {
			return nil, p, fmt.Errorf("%s: %w", p, errors.Join(err, closeErr))
		}
		at = next
	}
}

// openParent opens the folder that p lies in and gives its name there.
func (w *Workspace) openParent(p place, why purpose) (*os.Root, place, string, error) {
	n := len(p.steps)
	if n == 0 {
		return nil, p, "", fmt.Errorf("%s: %w", p, ErrNotFile)
	}
	at, p, err := w.open(p, n-1, why)
	if err != nil {
		return nil, p, "", err
	}
	return at, p, p.steps[len(p.steps)-1], nil
}

// isHome knows nfa's home by what it is, not by its name.
func (w *Workspace) isHome(at *os.Root) bool {
	home, err := os.Stat(w.home)
	if err != nil {
		return false // no home yet, nothing of it to guard
	}
	here, err := at.Stat(".")
	return err != nil || os.SameFile(here, home)
}

// step opens a folder in a folder. The proof comes after the opening: a name that
// stands for a real folder which is the one that was opened.
func step(at *os.Root, name string) (*os.Root, error) {
	info, err := at.Lstat(name)
	switch {
	case err != nil:
		return nil, cause(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, ErrLink
	case !info.IsDir():
		return nil, ErrNotFolder
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, cause(err)
	}
	opened, err := next.Stat(".")
	if err == nil {
		info, err = at.Lstat(name)
	}
	if err != nil || !info.IsDir() || !os.SameFile(opened, info) {
		return nil, errors.Join(ErrChanged, next.Close())
	}
	return next, nil
}

// openFile opens an ordinary file for reading, with the same proof.
func openFile(at *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := at.Lstat(name)
	if err != nil {
		return nil, nil, cause(err)
	}
	if err := ordinary(info); err != nil {
		return nil, nil, err
	}
	// A pipe that has taken the file's place must not make us wait for a writer.
	f, err := at.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, cause(err)
	}
	opened, err := f.Stat()
	if err == nil {
		info, err = at.Lstat(name)
	}
	if err != nil || !opened.Mode().IsRegular() || !info.Mode().IsRegular() || !os.SameFile(opened, info) {
		return nil, nil, errors.Join(ErrChanged, f.Close())
	}
	return f, opened, nil
}

func ordinary(info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return ErrLink
	case info.IsDir():
		return fmt.Errorf("%w but a folder; list it instead", ErrNotFile)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w but a device, pipe or socket", ErrNotFile)
	}
	return nil
}

// cause is what the system said, without the path that it said it of: that may
// name the user, and the reader knows it.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
