package skill

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
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

const (
	maxDescriptionLength   = 1024 // characters
	maxCompatibilityLength = 500  // characters
)

// Problem is one violation of the skill format.
type Problem struct {
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"` // of the file, from 1; 0 if not specific
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
	// Unexpected marks an unknown field. The skill works, but other clients may reject it.
	Unexpected bool `json:"unexpected,omitempty"`
}

// String formats the problem on one line.
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

// Validate checks a skill's directory, or a SKILL.md, against the open format and nfa's rules, and
// returns all problems by line; none means that the skill is valid. It is stricter than loading:
// what Parse accepts with a warning is a problem here.
func Validate(name string) []Problem {
	return ValidateWith(name, func(Skill) workflow.Environment { return workflow.Environment{} })
}

// ValidateWith works like Validate for a skill that will run in an environment: missing requirements of its
// steps are also problems.
func ValidateWith(name string, environment func(Skill) workflow.Environment) []Problem {
	file, misnamed, err := FindFile(name)
	if err != nil {
		return []Problem{{Path: name, Message: err.Error()}}
	}
	content, err := ReadFile(file, MaxFile)
	if err != nil {
		return []Problem{{Path: file, Message: err.Error()}}
	}
	var problems []Problem
	if misnamed {
		problems = append(problems, Problem{Message: fmt.Sprintf("the file is named %s; it must be named %s", filepath.Base(file), FileName)})
	}
	problems = append(problems, ValidateContentWith(content, DirectoryName(file), environmentFor(content, file, environment))...)
	for i := range problems {
		problems[i].Path = file
	}
	return problems
}

// environmentFor returns the environment of a skill in its directory.
func environmentFor(content []byte, file string, environment func(Skill) workflow.Environment) workflow.Environment {
	s, _, err := Parse(content)
	if err != nil {
		return workflow.Environment{} // the other checks report more
	}
	s.Source, s.Path, s.Directory = SourceUser, file, filepath.Dir(file)
	return environment(s)
}

// ValidateContent works like Validate for the text of a SKILL.md. If dirName is not empty, the name must
// equal it.
func ValidateContent(content []byte, dirName string) []Problem {
	return ValidateContentWith(content, dirName, workflow.Environment{})
}

// ValidateContentWith works like ValidateWith for the text of a SKILL.md.
func ValidateContentWith(content []byte, dirName string, environment workflow.Environment) []Problem {
	v := validator{dirName: dirName, environment: environment}
	if len(content) > MaxSize {
		v.add(0, "", "the file is %w: %s", ErrTooLarge, SuggestFix(ErrTooLarge))
	}
	if !utf8.Valid(content) {
		v.add(firstNonUTF8(content), "", "%w: %s", ErrNotUTF8, SuggestFix(ErrNotUTF8))
		return v.problems
	}
	src, line, _, err := frontmatter.Split(content)
	if err != nil {
		v.add(errorLine(err), "", "%w: %s", err, SuggestFix(err))
		return v.problems
	}
	if !bytes.HasPrefix(content, []byte("---")) {
		v.add(1, "", "the front matter must start the file: remove everything before the first ---")
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

// errorLine returns the line number in a parser error.
func errorLine(err error) int {
	found := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(err.Error())
	if found == nil {
		return 0
	}
	line, _ := strconv.Atoi(found[1])
	return line
}

// validator collects the problems of one SKILL.md.
type validator struct {
	dirName     string
	environment workflow.Environment
	src         []byte // the front matter
	line        int    // line of the file where src begins
	fm          frontmatter.Matter
	problems    []Problem
}

func (v *validator) add(line int, field, format string, args ...any) {
	v.problems = append(v.problems, Problem{Line: line, Field: field, Message: fmt.Errorf(format, args...).Error()})
}

// addAtField adds a problem of a field, at the line of its key.
func (v *validator) addAtField(field, format string, args ...any) {
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

// readTree reports whether there are fields to check. Input that only lenient loading accepts is a
// problem, but its fields are still checked.
func (v *validator) readTree() bool {
	root, err := frontmatter.Tree(v.src, v.line)
	if err != nil {
		v.add(errorLine(err), "", "%w: %s", err, SuggestFix(err))
	} else {
		v.checkNodes(root)
	}
	fm, lenientErr := frontmatter.Read(v.src, v.line)
	if err == nil && lenientErr != nil {
		v.add(errorLine(lenientErr), "", "%w: %s", lenientErr, SuggestFix(lenientErr))
	}
	v.fm = fm
	return lenientErr == nil
}

func (v *validator) checkFields() {
	v.checkUnexpected()
	v.checkName()
	v.checkText("description", maxDescriptionLength)
	v.checkText("compatibility", maxCompatibilityLength)
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
