package files

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
func (w *Workspace) open(p location, depth int, why purpose) (*os.Root, location, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, p, fmt.Errorf("%s: %w", p, stripPath(err))
	}
	for rest := p.segments[:depth]; ; rest = rest[1:] {
		if !p.inHome && w.isHomeFolder(root) {
			p = location{resolveLinks(w.home), p.segments[depth-len(rest):], true}
			depth = len(rest)
		}
		if p.inHome {
			err = checkHomeAccess(p.segments, why)
		}
		if err != nil {
			return nil, p, fmt.Errorf("%s: %w", p, errors.Join(err, root.Close()))
		}
		if len(rest) == 0 {
			return root, p, nil
		}
		next, err := openSubfolder(root, rest[0])
		if closeErr := root.Close(); err != nil || closeErr != nil {
			return nil, p, fmt.Errorf("%s: %w", p, errors.Join(err, closeErr))
		}
		root = next
	}
}

// openParent opens the folder that p lies in and gives its name there.
func (w *Workspace) openParent(p location, why purpose) (*os.Root, location, string, error) {
	n := len(p.segments)
	if n == 0 {
		return nil, p, "", fmt.Errorf("%s: %w", p, ErrNotFile)
	}
	root, p, err := w.open(p, n-1, why)
	if err != nil {
		return nil, p, "", err
	}
	return root, p, p.segments[len(p.segments)-1], nil
}

// isHomeFolder knows nfa's home by what it is, not by its name.
func (w *Workspace) isHomeFolder(root *os.Root) bool {
	home, err := os.Stat(w.home)
	if err != nil {
		return false // no home yet, nothing of it to guard
	}
	current, err := root.Stat(".")
	return err != nil || os.SameFile(current, home)
}

// openSubfolder opens a folder in a folder. The proof comes after the opening: a name that
// stands for a real folder which is the one that was opened.
func openSubfolder(root *os.Root, name string) (*os.Root, error) {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, stripPath(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, ErrSymlink
	case !info.IsDir():
		return nil, ErrNotFolder
	}
	next, err := root.OpenRoot(name)
	if err != nil {
		return nil, stripPath(err)
	}
	opened, err := next.Stat(".")
	if err == nil {
		info, err = root.Lstat(name)
	}
	if err != nil || !info.IsDir() || !os.SameFile(opened, info) {
		return nil, errors.Join(ErrFileChanged, next.Close())
	}
	return next, nil
}

// openRegularFile opens an ordinary file for reading, with the same proof.
func openRegularFile(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, nil, stripPath(err)
	}
	if err := checkRegular(info); err != nil {
		return nil, nil, err
	}
	// A pipe that has taken the file's place must not make us wait for a writer.
	f, err := root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, stripPath(err)
	}
	opened, err := f.Stat()
	if err == nil {
		info, err = root.Lstat(name)
	}
	if err != nil || !opened.Mode().IsRegular() || !info.Mode().IsRegular() || !os.SameFile(opened, info) {
		return nil, nil, errors.Join(ErrFileChanged, f.Close())
	}
	return f, opened, nil
}

func checkRegular(info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return ErrSymlink
	case info.IsDir():
		return fmt.Errorf("%w but a folder; list it instead", ErrNotFile)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w but a device, pipe or socket", ErrNotFile)
	}
	return nil
}

// stripPath is what the system said, without the path that it said it of: that may
// name the user, and the reader knows it.
func stripPath(err error) error {
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
