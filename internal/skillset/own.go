package skillset

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// Installer changes the skills of the user's own folder.
func (set *Set) Installer() *install.Installer {
	return &install.Installer{Dir: set.o.Dir, Registry: set.o.Registry, Store: set.o.Store, Now: set.o.Now}
}

// Own finds the SKILL.md of a skill that may be changed. A broken one is
// known by its directory.
func (set *Set) Own(name string) (file string, err error) {
	s, ok := set.o.Registry.Lookup(name)
	switch {
	case !ok:
		broken := slices.IndexFunc(set.o.Registry.Diagnostics(), func(d skill.Diagnostic) bool {
			return d.Err != nil && d.Name == name && set.Owns(d.Path)
		})
		if broken < 0 {
			return "", set.Unknown(name)
		}
		return set.o.Registry.Diagnostics()[broken].Path, nil
	case s.Source == skill.SourceBuiltin:
		return "", fmt.Errorf("%w %s; make a copy of your own: nfa skills clone %[2]s my-%[2]s", install.ErrBuiltin, s.Name)
	case !set.Owns(s.Path):
		return "", fmt.Errorf("%s is %w: it is at %s", s.Name, install.ErrElsewhere, s.Path)
	}
	return s.Path, nil
}

// Owns reports whether a file is in the user's own folder, or waits for it.
func (set *Set) Owns(file string) bool {
	if _, stored := skill.StoredName(file); stored {
		return true
	}
	rel, err := filepath.Rel(set.Installer().Dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// Explained adds to an installer's error what can be done about it here.
func (set *Set) Explained(err error) error {
	var missing *skill.NotFoundError
	if errors.As(err, &missing) {
		return set.Unknown(missing.Name)
	}
	return err
}
