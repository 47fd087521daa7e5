package install

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Reasons why a skill was not created, imported, exported or changed.
var (
	// ErrBuiltin means that a built-in skill cannot be changed.
	ErrBuiltin = errors.New("cannot modify built-in skill")
	// ErrOutsideFolder means that the skill is not in the user's skills folder.
	ErrOutsideFolder = errors.New("outside your skills folder")
	// ErrNotWritable means that the skills folder cannot be written.
	ErrNotWritable = errors.New("cannot write to the skills folder")
	// ErrSkillFileOnly means that a skill with several files cannot be saved in the store, which
	// has only the SKILL.md of each.
	ErrSkillFileOnly = errors.New("the database can save only a " + skill.FileName)
	// ErrBusy means that another program is changing the skills folder.
	ErrBusy = errors.New("another program is changing the skills folder")
	// ErrArchive means that an archive was rejected and nothing was written.
	ErrArchive = errors.New("archive rejected")
	// ErrUnsafePath means a path that could point elsewhere, or to another file, on some system.
	ErrUnsafePath = errors.New("unsafe path")
	ErrLink       = errors.New("link does not point to a file in the skill folder")
)

// ConflictError means that the name of a new skill is taken. The caller can rename it or replace
// the other.
type ConflictError struct {
	Name   string
	Path   string       // of the file or skill with the name
	Source skill.Source // empty if it is not a usable skill
	// Final is set if Replace would not help.
	Final bool
}

// Error names the conflicting file and the options.
func (e *ConflictError) Error() string {
	switch {
	case e.Final:
		return fmt.Sprintf("%s exists and is not a skill: move it, or choose another name", e.Path)
	case e.Source == "":
		return fmt.Sprintf("the name %s is taken by %s: rename the new skill, or replace the other", e.Name, e.Path)
	}
	return fmt.Sprintf("the name %s is taken by the %s skill at %s: rename the new skill, or replace the other", e.Name, e.Source, e.Path)
}

// InvalidError has all problems of a rejected skill.
type InvalidError struct {
	Name     string
	Problems []skill.Problem
}

// Error lists all problems.
func (e *InvalidError) Error() string {
	list := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		list[i] = p.String()
	}
	return fmt.Sprintf("skill %s is not valid: %s", e.Name, strings.Join(list, "; "))
}
