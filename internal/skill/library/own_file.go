package library

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// Installer returns an installer for the user's skills folder.
func (lib *Library) Installer() *install.Installer {
	lock := lib.Lock()
	return &install.Installer{Lock: &lock, Dir: lib.opts.Dir, Registry: lib.opts.Registry, Store: lib.opts.Store, Now: lib.opts.Now}
}

// Lock returns the record of where installed skills come from.
func (lib *Library) Lock() install.Lock { return install.OpenLock(filepath.Dir(lib.opts.Dir)) }

// FindOwn returns the SKILL.md of a skill that the user may change. A broken one is found by its
// directory name.
func (lib *Library) FindOwn(name string) (file string, err error) {
	s, ok := lib.opts.Registry.Lookup(name)
	switch {
	case !ok:
		broken := slices.IndexFunc(lib.opts.Registry.Diagnostics(), func(d skill.Diagnostic) bool {
			return d.Err != nil && d.Name == name && lib.Owns(d.Path)
		})
		if broken < 0 {
			return "", lib.NotFound(name)
		}
		return lib.opts.Registry.Diagnostics()[broken].Path, nil
	case s.Source == skill.SourceBuiltin:
		return "", fmt.Errorf("%w %s; copy it first: nfa skills clone %[2]s my-%[2]s", install.ErrBuiltin, s.Name)
	case !lib.Owns(s.Path):
		return "", fmt.Errorf("%s is %w: it is at %s", s.Name, install.ErrOutsideFolder, s.Path)
	}
	return s.Path, nil
}

// Owns reports whether a file is in the user's folder, or in the store.
func (lib *Library) Owns(file string) bool {
	if _, stored := skill.ParseStorePath(file); stored {
		return true
	}
	rel, err := filepath.Rel(lib.Installer().Dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// ExplainError adds the next step for the user to an installer's error.
func (lib *Library) ExplainError(err error) error {
	var missing *skill.NotFoundError
	if errors.As(err, &missing) {
		return lib.NotFound(missing.Name)
	}
	return err
}

// Export returns an archive, or one SKILL.md, and what was left out.
func (lib *Library) Export(names []string, single bool) (packed []byte, leftOut []string, err error) {
	if !single {
		var archive bytes.Buffer
		leftOut, err = lib.Installer().Export(&archive, names...)
		return archive.Bytes(), leftOut, err
	}
	content, err := lib.opts.Registry.Load(names[0])
	if err != nil {
		return nil, nil, err
	}
	n, err := lib.countFiles(names[0])
	if err != nil {
		return nil, nil, err
	}
	if n > 0 {
		leftOut = []string{cli.CountNoun(n, "other file") + " of the skill; export to a .zip file to include them"}
	}
	return []byte(content.Text), leftOut, nil
}

// countFiles counts the files of a skill that an archive would include, with its evals.
func (lib *Library) countFiles(name string) (int, error) {
	resources, err := lib.opts.Registry.Resources(name)
	if err != nil {
		return 0, err
	}
	n := len(resources.Files) + resources.Omitted
	_, files, done, err := lib.opts.Registry.Files(name)
	if err != nil {
		return 0, err
	}
	defer done()
	if _, err := fs.Stat(files, skill.EvalsFile); err == nil {
		n++
	}
	return n, nil
}
