package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// open opens the first depth segments of p one at a time, so that a folder swapped for a link in
// the meantime is not followed. The rules of nfa's data folder also apply if it is entered from
// above or under another spelling; p is then returned as a location in it.
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

// openParent opens the folder that contains p and returns the name of p in it.
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

// isHomeFolder recognizes nfa's data folder by identity, not by name.
func (w *Workspace) isHomeFolder(root *os.Root) bool {
	home, err := os.Stat(w.home)
	if err != nil {
		return false // no data folder yet, so nothing to protect
	}
	current, err := root.Stat(".")
	return err != nil || os.SameFile(current, home)
}

// openSubfolder opens a folder in a folder. After opening, it checks that the name still refers to
// the opened folder and is not a link.
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

// openRegularFile opens a regular file for reading, with the same check.
func openRegularFile(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, nil, stripPath(err)
	}
	if err := checkRegular(info); err != nil {
		return nil, nil, err
	}
	// If a pipe has replaced the file, do not wait for a writer.
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
		return fmt.Errorf("%w: it is a folder; list it instead", ErrNotFile)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: it is a device, pipe or socket", ErrNotFile)
	}
	return nil
}

// stripPath returns a system error without its path, which may contain the user's name and which
// the reader knows.
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
