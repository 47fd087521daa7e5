package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// WriteTarget is a file before it is written.
type WriteTarget struct {
	Path   string // may be shown to anyone
	Abs    string // absolute, only for the user
	Exists bool
	// Of the existing file:
	Size     int64 // bytes
	Modified time.Time
}

// Target describes the file that a write to path would replace or create. It changes nothing. The
// errors are those of WriteAll, except errors that occur only while writing.
func (w *Workspace) Target(path string) (WriteTarget, error) {
	p, err := w.locateWritable(path)
	if err != nil {
		return WriteTarget{}, err
	}
	root, to, _, err := w.openTarget(p)
	if errors.Is(err, fs.ErrNotExist) && p.inHome && len(p.segments) == 2 {
		return WriteTarget{Path: p.String(), Abs: p.abs()}, nil // WriteAll creates the folder of reports
	}
	if err != nil {
		return WriteTarget{}, err
	}
	return to, root.Close()
}

// locateWritable returns the location of a file that may be written, checking only its path.
func (w *Workspace) locateWritable(path string) (location, error) {
	p, err := w.locate(path)
	switch {
	case err != nil:
		return p, err
	case len(p.segments) == 0:
		return p, fmt.Errorf("%s: %w", p, ErrNotFile)
	case strings.EqualFold(p.segments[len(p.segments)-1], "SKILL.md"):
		return p, fmt.Errorf("%s: %w", p, ErrReadOnly) // it would become instructions for the assistant
	case markdown.SanitizeLine(path) != path:
		return p, fmt.Errorf("%q: %w", path, ErrInvisible)
	case p.inHome && (p.segments[0] != reportsFolder || len(p.segments) < 2):
		return p, fmt.Errorf("%s: %w", p, ErrReadOnly)
	}
	return p, nil
}

// openTarget opens the folder of a file to be written, and returns the permissions that the file
// has or should get.
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
	to.Exists, to.Size, to.Modified = true, info.Size(), info.ModTime()
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

// writeAndSync returns after the data is safe from a power loss.
func writeAndSync(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// OutputFile is one of the files that WriteAll writes.
type OutputFile struct {
	Path string
	Data []byte
	// Private makes the file readable only by its owner, in any folder.
	Private bool
}

// WriteAll writes files that belong together: all of them or none. The first is put in place last, so that
// it never exists without the others. Files in nfa's data folder are readable only by their owner; others
// have the system's default. An existing file is the error fs.ErrExist, unless replace is set: then it is
// replaced and keeps its permissions. No folders are created, except the reports folder. The targets are in
// the order of the files, up to the first error.
func (w *Workspace) WriteAll(files []OutputFile, replace bool) (to []WriteTarget, err error) {
	var staged []*stagedFile
	defer func() {
		for _, p := range staged {
			err = errors.Join(err, p.close())
		}
	}()
	for _, f := range files {
		p, target, err := w.stage(f, replace)
		if p != nil {
			staged = append(staged, p)
		}
		to = append(to, target)
		if err != nil {
			return to, err
		}
	}
	for i := len(staged) - 1; i >= 0; i-- {
		if err := staged[i].commit(replace); err != nil {
			for _, committed := range staged[i+1:] {
				err = errors.Join(err, committed.rollBack())
			}
			return to, fmt.Errorf("write %s: %w", to[i].Path, stripPath(err))
		}
	}
	return to, nil
}

// stagedFile is a complete file under a temporary name.
type stagedFile struct {
	dir       *os.Root
	name      string
	temporary string // empty after the file was renamed
	existed   bool   // a file of that name exists and is replaced
	backup    string // that file under another name, from commit to close; empty if no backup was possible
}

// stage writes a file under a temporary name in the folder of its target.
func (w *Workspace) stage(f OutputFile, replace bool) (*stagedFile, WriteTarget, error) {
	p, err := w.locateWritable(f.Path)
	if err != nil {
		return nil, WriteTarget{}, err
	}
	if p.inHome {
		if err := os.MkdirAll(location{p.root, p.segments[:1], true}.abs(), 0o700); err != nil {
			return nil, WriteTarget{}, fmt.Errorf("create folder of %s: %w", p, stripPath(err))
		}
	}
	root, to, perm, err := w.openTarget(p)
	if err != nil {
		return nil, to, err
	}
	pending := &stagedFile{dir: root, name: p.segments[len(p.segments)-1], existed: to.Exists}
	if to.Exists && !replace {
		return pending, to, fmt.Errorf("%s: %w", to.Path, fs.ErrExist)
	}
	if f.Private {
		perm &= 0o600
	}
	if pending.temporary, err = w.writeTemporary(root, f.Data, perm); err != nil {
		return pending, to, fmt.Errorf("write %s: %w", to.Path, stripPath(err))
	}
	return pending, to, nil
}

// commit gives the file its name. If nothing is to be replaced, the name is claimed first, which
// only one program can do.
func (p *stagedFile) commit(replace bool) error {
	if !replace {
		f, err := p.dir.OpenFile(p.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return errors.Join(err, p.dir.Remove(p.name))
		}
	}
	if p.existed {
		// A file system without hard links keeps no backup; the file is replaced anyway.
		backup := ".nfa-" + rand.Text() + ".tmp"
		if p.dir.Link(p.name, backup) == nil {
			p.backup = backup
		}
	}
	err := p.dir.Rename(p.temporary, p.name)
	if err == nil {
		p.temporary = ""
	} else if !replace {
		err = errors.Join(err, p.dir.Remove(p.name))
	}
	return err
}

// rollBack undoes commit.
func (p *stagedFile) rollBack() error {
	switch {
	case p.backup != "":
		backup := p.backup
		p.backup = ""
		return p.dir.Rename(backup, p.name)
	case p.existed:
		return nil
	}
	return p.dir.Remove(p.name)
}

// close removes everything except the file itself.
func (p *stagedFile) close() error {
	var err error
	for _, name := range []string{p.temporary, p.backup} {
		if name != "" {
			err = errors.Join(err, p.dir.Remove(name))
		}
	}
	return errors.Join(err, p.dir.Close())
}
