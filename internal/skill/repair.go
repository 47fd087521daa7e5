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

// Repair fixes what keeps a SKILL.md from being valid: blank lines or a byte order mark before the
// front matter, values that need quotes, a name that is missing (taken from dirName, else from the
// title) or not in the format's letters, a missing opening fence, and no front matter at all, if
// there is a "# Title" and a "description:" line to make it from.
//
// The body stays byte for byte. changes says what was done, one sentence each; when it is empty,
// fixed is content. Repairing again changes nothing. What would have to be invented is left as it
// is, and Validate reports it. The errors are those of Parse.
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
			changes = append(changes, "removed what stood before the front matter")
		}
	case errorLine(err) > 0:
		return nil, nil, err // a fence that is never closed: nobody knows where the front matter ends
	default:
		if d = withOpeningFence(content); d != nil {
			changes = append(changes, "wrote the --- that opens the front matter")
			break
		}
		d = frontmatter.NewDocument(content)
		title, described := firstTitle(d.Body), descriptionLine(d.Body)
		if title == "" || described == "" {
			return nil, nil, frontmatter.ErrMissing
		}
		d.Set("description", described)
		d.Set("display_name", title)
		changes = append(changes, "wrote front matter, which was missing, from the title and the description line")
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

// withOpeningFence opens content with a fence before it, or returns nil if its first lines are not
// front matter with a name or a description.
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

// repairName sets a valid name and says what it did.
func repairName(d *frontmatter.Document, dirName string) (changes []string, err error) {
	original, present, err := d.Text("name")
	if err != nil || len(nameProblems(CanonicalName(original))) == 0 {
		return nil, err
	}
	name, origin := slugName(original), "in the format's letters"
	if original == "" {
		if name, origin = slugName(dirName), "after its directory"; name == "" {
			name, origin = slugName(firstTitle(d.Body)), "after its title"
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

// firstTitle is the first heading of the first level.
func firstTitle(body []byte) string {
	for line := range proseLines(body) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(title), "#"))
		}
	}
	return ""
}

// descriptionLine is the text of the first "description:" line, however it is set off.
func descriptionLine(body []byte) string {
	for line := range proseLines(body) {
		label, text, ok := strings.Cut(strings.TrimLeft(line, "*_-> \t"), ":")
		if ok && strings.EqualFold(strings.Trim(label, "*_ "), "description") {
			return strings.Trim(text, "*_ \t\"")
		}
	}
	return ""
}

// proseLines gives the lines of Markdown that are not code.
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

// FixFile repairs a SKILL.md, or the one in a directory, where it is, and gives it
// that name. It reports what was done, which may be nothing. The file is replaced
// whole or not at all.
func FixFile(name string) (file string, changes []string, err error) {
	found, misnamed, err := FindFile(name)
	if err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", name, err)
	}
	content, err := ReadFile(found, MaxFile)
	if err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", found, err)
	}
	file = filepath.Join(filepath.Dir(found), FileName)
	if misnamed && isDifferentFile(found, file) {
		return "", nil, fmt.Errorf("repairing %s: %w: there is a %s beside it", found, fs.ErrExist, FileName)
	}
	fixed, changes, err := Repair(content, DirectoryName(found))
	if err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", found, err)
	}
	if len(changes) > 0 {
		if err := replaceFile(found, fixed); err != nil {
			return "", nil, fmt.Errorf("repairing %s: %w", found, err)
		}
	}
	if !misnamed {
		return found, changes, nil
	}
	if err := os.Rename(found, file); err != nil {
		return "", nil, fmt.Errorf("repairing %s: %w", found, err)
	}
	return file, append(changes, fmt.Sprintf("renamed %s to %s", filepath.Base(found), FileName)), nil
}

// isDifferentFile is false where the system takes both names for one file.
func isDifferentFile(a, b string) bool {
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && !os.SameFile(first, second)
}

// replaceFile writes through a link, to the file it leads to, and keeps the
// file's permissions.
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
