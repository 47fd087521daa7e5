package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// installer changes the skills of the user's own folder.
func (h *house) installer() *install.Installer {
	return &install.Installer{Dir: filepath.Join(h.home, "skills"), Registry: h.skills, Store: h.stored, Now: clock}
}

// notice tells what the user should know beside what was asked for; stdout is
// for that alone.
func (g *globals) notice(text string) {
	fmt.Fprintln(g.err, "nfa: "+markdown.SanitizeLine(text))
}

// ownSkill finds the SKILL.md of a skill that may be changed. A broken one is
// known by its directory.
func (h *house) ownSkill(name string) (file string, err error) {
	s, ok := h.skills.Lookup(name)
	switch {
	case !ok:
		broken := slices.IndexFunc(h.skills.Diagnostics(), func(d skill.Diagnostic) bool {
			return d.Err != nil && d.Name == name && h.owns(d.Path)
		})
		if broken < 0 {
			return "", unknownSkill(h.skills, name)
		}
		return h.skills.Diagnostics()[broken].Path, nil
	case s.Source == skill.SourceBuiltin:
		return "", fmt.Errorf("%w %s; make a copy of your own: nfa skills clone %[2]s my-%[2]s", install.ErrBuiltin, s.Name)
	case !h.owns(s.Path):
		return "", fmt.Errorf("%s is %w: it is at %s", s.Name, install.ErrElsewhere, s.Path)
	}
	return s.Path, nil
}

func (h *house) owns(file string) bool {
	if _, stored := skill.StoredName(file); stored {
		return true
	}
	rel, err := filepath.Rel(h.installer().Dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// explained adds to an installer's error what can be done about it here.
func (h *house) explained(err error) error {
	var missing *skill.NotFoundError
	if errors.As(err, &missing) {
		return unknownSkill(h.skills, missing.Name)
	}
	return err
}

// withFlags names the flags that settle a conflict.
func withFlags(err error, flags string) error {
	var taken *install.ConflictError
	if errors.As(err, &taken) && !taken.Final {
		return fmt.Errorf("%w (%s)", err, flags)
	}
	return err
}

// printInstalled says what became of a skill, and all that was changed on the way.
func (g *globals) printInstalled(done string, i install.Installed) {
	line := func(format string, args ...any) {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
	}
	line("%s %s: %s", done, i.Name, i.Path)
	if i.Kept != "" {
		line("  kept %s", i.Kept)
	}
	switch {
	case i.From == "":
	case done == "cloned":
		line("  a copy of %s", i.From)
	case done == "imported" && !i.Renamed:
		// From is but the folder that it lay in.
	default:
		line("  it was %s before", i.From)
	}
	if i.Replaced {
		line("  it replaced yours of that name")
	}
	if i.Hides != "" {
		line("  it hides the %s skill of that name", i.Hides)
	}
	for _, repair := range i.Repaired {
		line("  repaired: %s", repair)
	}
	for _, warning := range i.Warnings {
		line("  ! %s", warning)
	}
	for _, file := range i.LeftOut {
		line("  left out: %s", file)
	}
}
