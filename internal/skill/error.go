package skill

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Reasons why a SKILL.md cannot be used.
var (
	ErrMissingName        = errors.New("missing name")
	ErrInvalidName        = errors.New("invalid name")
	ErrMissingDescription = errors.New("missing description")
	ErrTooLarge           = errors.New("larger than 100 KB")
	ErrNotUTF8            = errors.New("not UTF-8 text")
	ErrNotRegular         = errors.New("not a regular file")
	ErrUnreadable         = errors.New("cannot be read")
)

// Reasons why a directory was not searched completely.
var (
	ErrNotDirectory = errors.New("a file has the name of the skills folder")
	ErrBrokenLink   = errors.New("broken link")
	ErrTooMany      = errors.New("too many directories")
	ErrTooDeep      = errors.New("nested too deeply")
)

// Reasons why a named file is not a skill.
var (
	ErrNoSkillFile = errors.New("no " + FileName + " found")
	// ErrSizeLimit means that a file or archive is too large.
	ErrSizeLimit = errors.New("too large")
)

// Errors for callers who requested something by name.
var (
	// ErrFileMissing means that a skill's SKILL.md was removed after the scan.
	ErrFileMissing = errors.New("SKILL.md no longer exists")
	// ErrNotTrusted means that a project's skills folder is not trusted, or changed after it was trusted.
	ErrNotTrusted = errors.New("the skills in this folder are not trusted in their current version")
	// ErrChangedSinceTrust means that a project's skill changed after it was trusted.
	ErrChangedSinceTrust = errors.New("changed since you trusted its folder; review it, then run: nfa skills trust")
	ErrResourcePath      = errors.New("path is outside the skill folder")
	ErrResourceNotFound  = errors.New("no such file in the skill folder")
	ErrNotText           = errors.New("not a text file")
)

// NotFoundError means that no skill has the name.
type NotFoundError struct{ Name string }

// Error is read by models and scripts; its wording is part of the contract.
func (e *NotFoundError) Error() string { return fmt.Sprintf("Skill '%s' not found", e.Name) }

// SuggestFix returns how to fix a SKILL.md that caused err.
func SuggestFix(err error) string {
	for _, m := range []struct {
		err    error
		advice string
	}{
		{frontmatter.ErrMissing, "start the file with a --- line, then name: and description:, then another --- line"},
		{frontmatter.ErrMalformed, "fix this line: quote text that contains \":\" or starts with \"[\", \"*\" or \"&\""},
		{frontmatter.ErrTooLong, "move long text into the body, or into other files"},
		{frontmatter.ErrAliases, "replace & and * with the values; quote text that starts with one"},
		{frontmatter.ErrNesting, "use fewer levels"},
		{ErrTooDeep, "move it closer to the skills folder"},
		{ErrMissingName, "add a name: line (lower-case letters, digits and hyphens) to the front matter; keys are case-sensitive"},
		{ErrInvalidName, "use lower-case letters, digits and hyphens"},
		{ErrMissingDescription, "add a description: line that says what the skill does and when to use it"},
		{ErrTooLarge, "move details into files under references/ and mention them in SKILL.md"},
		{ErrNotUTF8, "save the file as UTF-8"},
		{ErrNotRegular, "replace it with a regular file named SKILL.md"},
		{ErrUnreadable, "check its owner and permissions"},
		{ErrNotDirectory, "move or rename the file"},
		{ErrBrokenLink, "fix or remove the link"},
		{ErrTooMany, "keep only skills in the skills folder"},
		{ErrNotTrusted, "review them, then run: nfa skills trust"},
	} {
		if errors.Is(err, m.err) {
			return m.advice
		}
	}
	return ""
}
