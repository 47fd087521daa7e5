package skill

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	file, misnamed, err := findSkillFile(name)
	if err != nil {
		return []Problem{{Path: name, Message: err.Error()}}
	}
	content, err := readBounded(file, maxFileSize)
	if err != nil {
		return []Problem{{Path: file, Message: err.Error()}}
	}
	var problems []Problem
	if misnamed {
		problems = append(problems, Problem{Message: fmt.Sprintf("the file is named %s; it must be named %s", filepath.Base(file), FileName)})
	}
	problems = append(problems, ValidateContent(content, directoryName(file))...)
	for i := range problems {
		problems[i].Path = file
	}
	return problems
}

// findSkillFile is name itself, or the SKILL.md in the directory name. Of other
// spellings the first in order of name is taken, as misnamed.
func findSkillFile(name string) (file string, misnamed bool, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", false, fmt.Errorf("%w: %w", ErrUnreadable, pathless(err))
	case !info.IsDir():
		return name, filepath.Base(name) != FileName && isSkillFileName(filepath.Base(name)), nil
	}
	items, err := os.ReadDir(name)
	if err != nil {
		return "", false, fmt.Errorf("%w: %w", ErrUnreadable, pathless(err))
	}
	var other string
	for _, item := range items {
		if item.Name() == FileName {
			return filepath.Join(name, FileName), false, nil
		}
		if other == "" && !item.IsDir() && isSkillFileName(item.Name()) {
			other = item.Name()
		}
	}
	if other == "" {
		return "", false, ErrNoSkillFile
	}
	return filepath.Join(name, other), true, nil
}

// isSkillFileName accepts the spellings of SKILL.md that people use.
func isSkillFileName(name string) bool {
	return strings.EqualFold(name, FileName) || strings.EqualFold(name, "skills.md")
}

// directoryName is the name of the directory that a SKILL.md lies in, or "" for
// a file that is not kept as one.
func directoryName(file string) string {
	full, err := filepath.Abs(file)
	if err != nil || !isSkillFileName(filepath.Base(file)) {
		return ""
	}
	return filepath.Base(filepath.Dir(full))
}

// pathless leaves out of an error the path, which is told elsewhere.
func pathless(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

func readBounded(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, pathless(err))
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, pathless(err))
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, pathless(err))
	case int64(len(content)) > limit:
		return nil, fmt.Errorf("%w: over %d bytes", ErrLimit, limit)
	}
	return content, nil
}

// ValidateContent is Validate for the text of a SKILL.md. With dirName empty the
// name may be any; else the two must be equal.
func ValidateContent(content []byte, dirName string) []Problem {
	v := validator{dirName: dirName}
	if len(content) > MaxSize {
		v.add(0, "", "the file is %w: %s", ErrTooLarge, mend(ErrTooLarge))
	}
	if !utf8.Valid(content) {
		v.add(firstNonUTF8(content), "", "%w: %s", ErrNotUTF8, mend(ErrNotUTF8))
		return v.problems
	}
	src, line, _, err := split(content)
	if err != nil {
		v.add(lineIn(err), "", "%w: %s", err, mend(err))
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
	src      []byte // the front matter
	line     int    // of the file, where src begins
	fm       frontMatter
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
		if key, ok := keyOf(text); ok && key == field {
			return line
		}
		line++
	}
	return 0
}

// keyOf is the key of the first level that a line of YAML sets.
func keyOf(line []byte) (string, bool) {
	key, _, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(key) == 0 || strings.ContainsRune(" \t#-", rune(key[0])) {
		return "", false
	}
	return strings.Trim(string(bytes.TrimSpace(key)), `"'`), true
}

// readTree reports whether there are fields to check. What only lenient loading
// can read is a problem, but its fields are checked all the same.
func (v *validator) readTree() bool {
	root, err := yamlTree(v.src, v.line)
	if err != nil {
		v.add(lineIn(err), "", "%w: %s", err, mend(err))
	} else {
		v.checkNodes(root)
	}
	fm, lenientErr := readFrontMatter(v.src, v.line)
	if err == nil && lenientErr != nil {
		v.add(lineIn(lenientErr), "", "%w: %s", lenientErr, mend(lenientErr))
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
	for _, key := range slices.Sorted(maps.Keys(v.fm.values)) {
		if text, ok := v.fm.values[key].(string); ok && key != "name" {
			v.checkVisible(key, text)
		}
	}
}
