package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// OutputFile is one of the files that WriteAll writes.
type OutputFile struct {
	Path string
	Data []byte
	// Private makes it readable for its owner alone, wherever it lies.
	Private bool
}

// WriteAll makes files that belong together: all of them, each as Write does,
// or none. The first is put in its place last, so that it never stands there
// without the others. The targets come in the order of the files, as far as these
// were looked at.
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
			return to, fmt.Errorf("writing %s: %w", to[i].Path, stripPath(err))
		}
	}
	return to, nil
}

// stagedFile is a file that is written whole, under a name of its own.
type stagedFile struct {
	dir       *os.Root
	name      string
	temporary string // gone once it has its name
	replaces  bool   // a file that was there
	backup    string // that file, under a name of its own, where one could be made
	committed bool
}

// stage writes a file under a temporary name in the folder of its target.
func (w *Workspace) stage(f OutputFile, replace bool) (*stagedFile, WriteTarget, error) {
	p, err := w.locateWritable(f.Path)
	if err != nil {
		return nil, WriteTarget{}, err
	}
	if p.inHome {
		if err := os.MkdirAll(location{p.root, p.segments[:1], true}.abs(), 0o700); err != nil {
			return nil, WriteTarget{}, fmt.Errorf("making the folder of %s: %w", p, stripPath(err))
		}
	}
	root, to, perm, err := w.openTarget(p)
	if err != nil {
		return nil, to, err
	}
	pending := &stagedFile{dir: root, name: p.segments[len(p.segments)-1], replaces: to.Exists}
	if to.Exists && !replace {
		return pending, to, fmt.Errorf("%s: %w", to.Path, fs.ErrExist)
	}
	if f.Private {
		perm &= 0o600
	}
	if pending.temporary, err = w.writeTemporary(root, f.Data, perm); err != nil {
		return pending, to, fmt.Errorf("writing %s: %w", to.Path, stripPath(err))
	}
	return pending, to, nil
}

// commit gives the file its name, and keeps what was there until close.
func (p *stagedFile) commit(replace bool) error {
	if p.replaces {
		// Best effort, for a file system without hard links: then what is replaced
		// cannot come back, as with one file alone.
		backup := ".nfa-" + rand.Text() + ".tmp"
		if p.dir.Link(p.name, backup) == nil {
			p.backup = backup
		}
	}
	temporary := p.temporary
	p.temporary = "" // install removes what it cannot use
	err := replaceFile(p.dir, temporary, p.name, replace)
	p.committed = err == nil
	return err
}

// rollBack undoes install.
func (p *stagedFile) rollBack() error {
	backup := p.backup
	switch {
	case !p.committed:
		return nil
	case backup != "":
		p.backup = ""
		return p.dir.Rename(backup, p.name)
	case p.replaces:
		return nil
	}
	return p.dir.Remove(p.name)
}

// close leaves nothing behind but the file itself.
func (p *stagedFile) close() error {
	var err error
	for _, name := range []string{p.temporary, p.backup} {
		if name != "" {
			err = errors.Join(err, p.dir.Remove(name))
		}
	}
	return errors.Join(err, p.dir.Close())
}
