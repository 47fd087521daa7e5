package skill

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Why a SKILL.md cannot be used.
var (
	ErrMissingName        = errors.New("missing name")
	ErrInvalidName        = errors.New("unusable name")
	ErrMissingDescription = errors.New("missing description")
	ErrTooLarge           = errors.New("larger than 100 KB")
	ErrNotUTF8            = errors.New("not UTF-8 text")
	ErrNotRegular         = errors.New("not a regular file")
	ErrUnreadable         = errors.New("cannot be read")
)

// Why a directory was not searched, or not to its end.
var (
	ErrNotDirectory = errors.New("a file stands where the skills folder should be")
	ErrBrokenLink   = errors.New("the link leads nowhere")
	ErrTooMany      = errors.New("too many directories")
	ErrTooDeep      = errors.New("too deep")
)

// Why what a person named is not taken for a skill.
var (
	ErrNoSkillFile = errors.New("no " + FileName + " in it")
	// ErrSizeLimit means that a file, or an archive, is larger than is accepted.
	ErrSizeLimit = errors.New("too large")
)

// Errors for a caller who requested something by name.
var (
	// ErrFileMissing means that a skill's SKILL.md has left the disk since the scan.
	ErrFileMissing = errors.New("the skill's file is gone")
	// ErrNotTrusted means that a project's folder was never trusted, or is another now.
	ErrNotTrusted = errors.New("the skills of this folder are not trusted as they are now")
	// ErrChangedSinceTrust means that a project's skill is not what was trusted any more.
	ErrChangedSinceTrust = errors.New("changed since its folder was trusted; look at it, then: nfa skills trust")
	ErrResourcePath      = errors.New("not a path inside the skill's directory")
	ErrResourceNotFound  = errors.New("no such file in the skill's directory")
	ErrNotText           = errors.New("not a text file")
)

// NotFoundError is the answer to a name that no skill has.
type NotFoundError struct{ Name string }

// Error is read by models and scripts; its wording is part of the contract.
func (e *NotFoundError) Error() string { return fmt.Sprintf("Skill '%s' not found", e.Name) }

// SuggestFix tells a person what to do about a SKILL.md that gave err.
func SuggestFix(err error) string {
	for _, m := range []struct {
		err    error
		advice string
	}{
		{frontmatter.ErrMissing, "begin the file with a line ---, then name: and description:, then a line ---"},
		{frontmatter.ErrMalformed, "mend the line named; put text in quotes that holds a colon or begins with a bracket, * or &"},
		{frontmatter.ErrTooLong, "move what is long into the body, or into files beside it"},
		{frontmatter.ErrAliases, "write the values out instead of using & and *; quote a text that begins with one"},
		{frontmatter.ErrNesting, "write it with fewer levels"},
		{ErrTooDeep, "move it nearer to the top"},
		{ErrMissingName, "add a line name: (lower case, digits and hyphens) to the front matter; keys are case-sensitive"},
		{ErrInvalidName, "name it in lower case letters, digits and hyphens"},
		{ErrMissingDescription, "add a line description: that says what the skill does and when to use it"},
		{ErrTooLarge, "move details into files under references/ and name them in SKILL.md"},
		{ErrNotUTF8, "save the file as UTF-8"},
		{ErrNotRegular, "make SKILL.md an ordinary file"},
		{ErrUnreadable, "check its owner and its permissions"},
		{ErrNotDirectory, "move the file away"},
		{ErrBrokenLink, "mend or remove the link"},
		{ErrTooMany, "keep only skills in the skills folder"},
		{ErrNotTrusted, "look at them, then: nfa skills trust"},
	} {
		if errors.Is(err, m.err) {
			return m.advice
		}
	}
	return ""
}
