package install

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
)

// Why a skill was not created, imported, exported or changed.
var (
	// ErrBuiltin answers every change of a skill that comes with the program.
	ErrBuiltin = errors.New("cannot modify built-in skill")
	// ErrOutsideFolder means that the skill is not kept in the folder that may be changed.
	ErrOutsideFolder = errors.New("kept outside your skills folder")
	// ErrNotWritable means that the skills folder cannot be changed at all.
	ErrNotWritable = errors.New("the skills folder cannot be written")
	// ErrSkillFileOnly means that a skill of several files was to be kept in the
	// store, which holds a SKILL.md alone.
	ErrSkillFileOnly = errors.New("the database keeps a " + skill.FileName + " alone")
	// ErrBusy means that another program is changing the skills folder.
	ErrBusy = errors.New("another program is changing the skills folder")
	// ErrArchive means that an archive was refused, and nothing of it written.
	ErrArchive = errors.New("archive refused")
	// ErrUnsafePath means a file whose path could lead elsewhere, or to another
	// file, on some system.
	ErrUnsafePath = errors.New("unsafe path")
	ErrLink       = errors.New("a link that does not lead to a file of the skill")
)

// ConflictError means that the name of a new skill is taken. Renaming it or
// replacing the other are the ways out.
type ConflictError struct {
	Name   string
	Path   string       // of what has the name
	Source skill.Source // empty when it is no usable skill
	// Final is set when even Replace does not help.
	Final bool
}

// Error names the skill in the way and what can be done.
func (e *ConflictError) Error() string {
	switch {
	case e.Final:
		return fmt.Sprintf("%s is in the way and is not a skill: move it, or choose another name", e.Path)
	case e.Source == "":
		return fmt.Sprintf("the name %s is taken by %s: rename the new one or replace the other", e.Name, e.Path)
	}
	return fmt.Sprintf("the name %s is taken by the %s skill at %s: rename the new one or replace the other", e.Name, e.Source, e.Path)
}

// InvalidError holds every problem of a skill that was refused.
type InvalidError struct {
	Name     string
	Problems []skill.Problem
}

// Error gives all problems, one after another.
func (e *InvalidError) Error() string {
	list := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		list[i] = p.String()
	}
	return fmt.Sprintf("skill %s is not valid: %s", e.Name, strings.Join(list, "; "))
}
