package skill

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Repair makes a SKILL.md valid if it can: it removes blank lines or a byte order mark before the
// front matter, quotes values, adds a missing name (from dirName or the title) or corrects its
// letters, adds a missing opening fence, and creates missing front matter from a "# Title" and a
// "description:" line.
//
// The body is unchanged. changes lists the repairs, one sentence each; if it is empty, fixed is
// content. Repairing again changes nothing. Information that would have to be invented is left to
// Validate to report. The errors are those of Parse.
func Repair(content []byte, dirName string) (fixed []byte, changes []string, err error) {
	if len(content) > MaxSize {
		return nil, nil, ErrTooLarge
	}
	if !utf8.Valid(content) {
		return nil, nil, ErrNotUTF8
	}
	d, err := frontmatter.Open(content)
	switch {
	case err == nil:
		if d.TrimLeading() {
			changes = append(changes, "removed text before the front matter")
		}
	case errorLine(err) > 0:
		return nil, nil, err // without a closing fence, the end of the front matter is unknown
	default:
		if d = withOpeningFence(content); d != nil {
			changes = append(changes, "added the opening --- of the front matter")
			break
		}
		d = frontmatter.NewDocument(content)
		title, described := firstTitle(d.Body), descriptionLine(d.Body)
		if title == "" || described == "" {
			return nil, nil, frontmatter.ErrMissing
		}
		d.Set("description", described)
		d.Set("display_name", title)
		changes = append(changes, "added front matter from the title and the description line")
	}
	fm, err := d.Read()
	if err != nil {
		return nil, nil, err
	}
	if len(fm.Warnings) > 0 {
		for _, warning := range d.QuoteValues() {
			cause, _, _ := strings.Cut(warning, ";")
			changes = append(changes, cause+": quoted it")
		}
	}
	named, err := repairName(d, dirName)
	if err != nil {
		return nil, nil, err
	}
	if changes = append(changes, named...); len(changes) > 0 {
		content = d.Bytes()
	}
	if _, _, err := Parse(content); err != nil {
		return nil, nil, err
	}
	return content, changes, nil
}

// withOpeningFence returns content with an opening fence, or nil if its first lines are not front
// matter with a name or description.
func withOpeningFence(content []byte) *frontmatter.Document {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	fence := "---\n"
	if first, _, _ := bytes.Cut(content, []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		fence = "---\r\n"
	}
	d, err := frontmatter.Open(append([]byte(fence), content...))
	if err != nil {
		return nil
	}
	fm, err := d.Read()
	if fm.Written["name"] == "" && fm.Written["description"] == "" || err != nil {
		return nil
	}
	return d
}

// repairName sets a valid name and reports the change.
func repairName(d *frontmatter.Document, dirName string) (changes []string, err error) {
	original, present, err := d.Text("name")
	if err != nil || len(nameProblems(CanonicalName(original))) == 0 {
		return nil, err
	}
	name, origin := slugName(original), "using only valid characters"
	if original == "" {
		if name, origin = slugName(dirName), "from its directory"; name == "" {
			name, origin = slugName(firstTitle(d.Body)), "from its title"
		}
	}
	switch {
	case name == "" && original == "":
		return nil, ErrMissingName
	case name == "":
		return nil, nil
	case present:
		d.Set("name", name)
	default:
		d.Prepend("name", name)
	}
	changes = append(changes, fmt.Sprintf("named it %s, %s", name, origin))
	_, titled, err := d.Text("display_name")
	if original != "" && !titled && err == nil {
		d.Set("display_name", original)
		changes = append(changes, fmt.Sprintf("kept %q as the display name", original))
	}
	return changes, err
}

// firstTitle returns the first level-one heading.
func firstTitle(body []byte) string {
	for line := range proseLines(body) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(title), "#"))
		}
	}
	return ""
}

// descriptionLine returns the text of the first "description:" line, in any markup.
func descriptionLine(body []byte) string {
	for line := range proseLines(body) {
		label, text, ok := strings.Cut(strings.TrimLeft(line, "*_-> \t"), ":")
		if ok && strings.EqualFold(strings.Trim(label, "*_ "), "description") {
			return strings.Trim(text, "*_ \t\"")
		}
	}
	return ""
}

// proseLines iterates over the lines of Markdown outside code.
func proseLines(body []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		code := false
		for raw := range bytes.Lines(body) {
			line := strings.TrimRight(string(raw), "\r\n")
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				code = !code
				continue
			}
			if !code && !yield(line) {
				return
			}
		}
	}
}

// FixFile repairs a SKILL.md, or the one in a directory, in place, and renames it to SKILL.md. It
// returns the changes, if any. The file is replaced completely or not at all.
func FixFile(name string) (file string, changes []string, err error) {
	found, misnamed, err := FindFile(name)
	if err != nil {
		return "", nil, fmt.Errorf("repair %s: %w", name, err)
	}
	content, err := ReadFile(found, MaxFile)
	if err != nil {
		return "", nil, fmt.Errorf("repair %s: %w", found, err)
	}
	file = filepath.Join(filepath.Dir(found), FileName)
	if misnamed && isDifferentFile(found, file) {
		return "", nil, fmt.Errorf("repair %s: %w: %s already exists", found, fs.ErrExist, FileName)
	}
	fixed, changes, err := Repair(content, DirectoryName(found))
	if err != nil {
		return "", nil, fmt.Errorf("repair %s: %w", found, err)
	}
	if len(changes) > 0 {
		if err := replaceFile(found, fixed); err != nil {
			return "", nil, fmt.Errorf("repair %s: %w", found, err)
		}
	}
	if !misnamed {
		return found, changes, nil
	}
	if err := os.Rename(found, file); err != nil {
		return "", nil, fmt.Errorf("repair %s: %w", found, err)
	}
	return file, append(changes, fmt.Sprintf("renamed %s to %s", filepath.Base(found), FileName)), nil
}

// isDifferentFile returns false if both names are the same file on this system.
func isDifferentFile(a, b string) bool {
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && !os.SameFile(first, second)
}

// replaceFile follows a link to its target and keeps the file's permissions.
func replaceFile(name string, data []byte) (err error) {
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return atomicfile.Replace(name, data, info.Mode().Perm())
}
