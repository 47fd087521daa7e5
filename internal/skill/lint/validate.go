// Package lint holds a SKILL.md to the rules of the open format, all of them at
// once, and mends what can be mended without inventing anything.
package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

const (
	maxDescription   = 1024 // characters
	maxCompatibility = 500  // characters
)

// Problem is one reason why a skill does not keep to the format.
type Problem struct {
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"` // of the file, from 1; 0 where none is to blame
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
	// Unexpected marks a field to which neither the format nor this program gives
	// a meaning. A skill with one works; no other client need accept it.
	Unexpected bool `json:"unexpected,omitempty"`
}

// String is the problem in one line, as compilers write theirs.
func (p Problem) String() string {
	var b strings.Builder
	if p.Path != "" {
		b.WriteString(p.Path + ":")
		if p.Line > 0 {
			b.WriteString(strconv.Itoa(p.Line) + ":")
		}
		b.WriteString(" ")
	} else if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Message)
	return b.String()
}

// Validate holds a skill's directory, or a SKILL.md, to the rules of the open
// format and of this program, and gives every problem at once, by line; none
// means that the skill is valid. It is stricter than loading: what Parse accepts
// with a warning is a problem here.
func Validate(name string) []Problem {
	return ValidateIn(name, func(skill.Skill) workflow.World { return workflow.World{} })
}

// ValidateIn is Validate for a skill that is to be run in a world: what its steps
// need and do not find there is a problem as well.
func ValidateIn(name string, around func(skill.Skill) workflow.World) []Problem {
	file, misnamed, err := skill.FindFile(name)
	if err != nil {
		return []Problem{{Path: name, Message: err.Error()}}
	}
	content, err := skill.ReadFile(file, skill.MaxFile)
	if err != nil {
		return []Problem{{Path: file, Message: err.Error()}}
	}
	var problems []Problem
	if misnamed {
		problems = append(problems, Problem{Message: fmt.Sprintf("the file is named %s; it must be named %s", filepath.Base(file), skill.FileName)})
	}
	problems = append(problems, ValidateContentIn(content, skill.DirectoryName(file), worldOf(content, file, around))...)
	for i := range problems {
		problems[i].Path = file
	}
	return problems
}

// worldOf is the world of a skill that lies in its directory, wherever that is.
func worldOf(content []byte, file string, around func(skill.Skill) workflow.World) workflow.World {
	s, _, err := skill.Parse(content)
	if err != nil {
		return workflow.World{} // of which the rules have more to say
	}
	s.Source, s.Path, s.Directory = skill.SourceUser, file, filepath.Dir(file)
	return around(s)
}

// ValidateContent is Validate for the text of a SKILL.md. With dirName empty the
// name may be any; else the two must be equal.
func ValidateContent(content []byte, dirName string) []Problem {
	return ValidateContentIn(content, dirName, workflow.World{})
}

// ValidateContentIn is ValidateIn for the text of a SKILL.md.
func ValidateContentIn(content []byte, dirName string, world workflow.World) []Problem {
	v := validator{dirName: dirName, world: world}
	if len(content) > skill.MaxSize {
		v.add(0, "", "the file is %w: %s", skill.ErrTooLarge, skill.Mend(skill.ErrTooLarge))
	}
	if !utf8.Valid(content) {
		v.add(firstNonUTF8(content), "", "%w: %s", skill.ErrNotUTF8, skill.Mend(skill.ErrNotUTF8))
		return v.problems
	}
	src, line, _, err := frontmatter.Split(content)
	if err != nil {
		v.add(lineIn(err), "", "%w: %s", err, skill.Mend(err))
		return v.problems
	}
	if !bytes.HasPrefix(content, []byte("---")) {
		v.add(1, "", "the front matter must start the file: nothing may stand before the first ---")
	}
	v.src, v.line = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), line
	if v.readTree() {
		v.checkFields()
	}
	slices.SortStableFunc(v.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return v.problems
}

func firstNonUTF8(content []byte) int {
	line := 1
	for text := range bytes.Lines(content) {
		if !utf8.Valid(text) {
			break
		}
		line++
	}
	return line
}

// lineIn finds the line that an error of the parser names.
func lineIn(err error) int {
	found := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(err.Error())
	if found == nil {
		return 0
	}
	line, _ := strconv.Atoi(found[1])
	return line
}

// validator gathers the problems of one SKILL.md.
type validator struct {
	dirName  string
	world    workflow.World
	src      []byte // the front matter
	line     int    // of the file, where src begins
	fm       frontmatter.Matter
	problems []Problem
}

func (v *validator) add(line int, field, format string, args ...any) {
	v.problems = append(v.problems, Problem{Line: line, Field: field, Message: fmt.Errorf(format, args...).Error()})
}

// blame adds a problem of a field, at the line of its key.
func (v *validator) blame(field, format string, args ...any) {
	v.add(v.lineOf(field), field, format, args...)
}

func (v *validator) lineOf(field string) int {
	line := v.line
	for text := range bytes.Lines(v.src) {
		if key, ok := frontmatter.KeyOf(text); ok && key == field {
			return line
		}
		line++
	}
	return 0
}

// readTree reports whether there are fields to check. What only lenient loading
// can read is a problem, but its fields are checked all the same.
func (v *validator) readTree() bool {
	root, err := frontmatter.Tree(v.src, v.line)
	if err != nil {
		v.add(lineIn(err), "", "%w: %s", err, skill.Mend(err))
	} else {
		v.checkNodes(root)
	}
	fm, lenientErr := frontmatter.Read(v.src, v.line)
	if err == nil && lenientErr != nil {
		v.add(lineIn(lenientErr), "", "%w: %s", lenientErr, skill.Mend(lenientErr))
	}
	v.fm = fm
	return lenientErr == nil
}

func (v *validator) checkFields() {
	v.checkUnexpected()
	v.checkName()
	v.checkText("description", maxDescription)
	v.checkText("compatibility", maxCompatibility)
	v.checkAllowedTools()
	v.checkTypes()
	v.checkParameters()
	v.checkSteps()
	for _, key := range slices.Sorted(maps.Keys(v.fm.Values)) {
		if text, ok := v.fm.Values[key].(string); ok && key != "name" {
			v.checkVisible(key, text)
		}
	}
}
