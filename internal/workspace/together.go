package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// File is one of those that WriteTogether makes.
type File struct {
	Path string
	Data []byte
	// Private makes it readable for its owner alone, wherever it lies.
	Private bool
}

// WriteTogether makes files that belong together: all of them, each as Write does,
// or none. The first is put in its place last, so that it never stands there
// without the others. The targets come in the order of the files, as far as these
// were looked at.
func (w *Workspace) WriteTogether(files []File, replace bool) (to []Target, err error) {
	var all []*pending
	defer func() {
		for _, p := range all {
			err = errors.Join(err, p.close())
		}
	}()
	for _, f := range files {
		p, target, err := w.pend(f, replace)
		if p != nil {
			all = append(all, p)
		}
		to = append(to, target)
		if err != nil {
			return to, err
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		if err := all[i].install(replace); err != nil {
			for _, done := range all[i+1:] {
				err = errors.Join(err, done.takeBack())
			}
			return to, fmt.Errorf("writing %s: %w", to[i].Path, cause(err))
		}
	}
	return to, nil
}

// pending is a file that is written whole, under a name of its own.
type pending struct {
	at        *os.Root
	name      string
	temporary string // gone once it has its name
	replaces  bool   // a file that was there
	before    string // that file, under a name of its own, where one could be made
	made      bool
}

// pend writes a file beside the place that it is for.
func (w *Workspace) pend(f File, replace bool) (*pending, Target, error) {
	p, err := w.writable(f.Path)
	if err != nil {
		return nil, Target{}, err
	}
	if p.home {
		if err := os.MkdirAll(place{p.root, p.steps[:1], true}.abs(), 0o700); err != nil {
			return nil, Target{}, fmt.Errorf("making the folder of %s: %w", p, cause(err))
		}
	}
	at, to, perm, err := w.openTarget(p)
	if err != nil {
		return nil, to, err
	}
	pending := &pending{at: at, name: p.steps[len(p.steps)-1], replaces: to.Exists}
	if to.Exists && !replace {
		return pending, to, fmt.Errorf("%s: %w", to.Path, fs.ErrExist)
	}
	if f.Private {
		perm &= 0o600
	}
	if pending.temporary, err = w.prepare(at, f.Data, perm); err != nil {
		return pending, to, fmt.Errorf("writing %s: %w", to.Path, cause(err))
	}
	return pending, to, nil
}

// install gives the file its name, and keeps what was there until close.
func (p *pending) install(replace bool) error {
	if p.replaces {
		// Best effort, for a file system without hard links: then what is replaced
		// cannot come back, as with one file alone.
		before := ".nfa-" + rand.Text() + ".tmp"
		if p.at.Link(p.name, before) == nil {
			p.before = before
		}
	}
	temporary := p.temporary
	p.temporary = "" // install removes what it cannot use
	err := install(p.at, temporary, p.name, replace)
	p.made = err == nil
	return err
}

// takeBack undoes install.
func (p *pending) takeBack() error {
	before := p.before
	switch {
	case !p.made:
		return nil
	case before != "":
		p.before = ""
		return p.at.Rename(before, p.name)
	case p.replaces:
		return nil
	}
	return p.at.Remove(p.name)
}

// close leaves nothing behind but the file itself.
func (p *pending) close() error {
	var err error
	for _, name := range []string{p.temporary, p.before} {
		if name != "" {
			err = errors.Join(err, p.at.Remove(name))
		}
	}
	return errors.Join(err, p.at.Close())
}
