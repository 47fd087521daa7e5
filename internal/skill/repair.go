package skill

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Repair mends what keeps a SKILL.md from being used as the open format has it:
// text before the front matter, values that need quotes, keys in the wrong case,
// a name that is missing (taken from dirName, else from the title) or not in the
// format's letters, a description that only the body gives, and no front matter
// at all where a "# Title" and a "description:" line are there to make it from.
//
// The body stays byte for byte. changes says what was done, one sentence each;
// when it is empty, fixed is content. Repairing again changes nothing. What would
// have to be invented is left as it is: Validate names it. The errors are those
// of Parse.
func Repair(content []byte, dirName string) (fixed []byte, changes []string, err error) {
	if len(content) > MaxSize {
		return nil, nil, ErrTooLarge
	}
	if !utf8.Valid(content) {
		return nil, nil, ErrNotUTF8
	}
	r := repairer{dirName: dirName}
	if err := r.open(content); err != nil {
		return nil, nil, err
	}
	if err := r.apply(); err != nil {
		return nil, nil, err
	}
	if len(r.changes) == 0 {
		return content, nil, nil
	}
	fixed = r.Bytes()
	if _, _, err := Parse(fixed); err != nil {
		return nil, nil, err
	}
	return fixed, r.changes, nil
}

// repairer is a SKILL.md that is being mended.
type repairer struct {
	*frontmatter.Document
	dirName string
	changes []string
}

func (r *repairer) recordChange(format string, args ...any) {
	r.changes = append(r.changes, fmt.Sprintf(format, args...))
}

func (r *repairer) open(content []byte) error {
	d, err := frontmatter.Open(content)
	if err != nil {
		// A fence that is opened and never closed leaves in doubt where the front
		// matter ends.
		if errorLine(err) > 0 {
			return err
		}
		return r.openWithoutFence(content)
	}
	r.Document = d
	if d.TrimLeading() {
		r.recordChange("removed what stood before the front matter")
	}
	return nil
}

// openWithoutFence makes front matter for a file that begins with its title. The
// whole file becomes the body, unless only the opening fence is missing.
func (r *repairer) openWithoutFence(content []byte) error {
	if d := withFence(content); d != nil {
		r.Document = d
		r.recordChange("wrote the --- that opens the front matter")
		return nil
	}
	r.Document = frontmatter.NewDocument(content)
	title, described := firstTitle(r.Body), descriptionLine(r.Body)
	if title == "" || described == "" {
		return frontmatter.ErrMissing
	}
	r.Set("description", described)
	r.Set("display_name", title)
	r.recordChange("wrote front matter, which was missing, from the title and the description line")
	return nil
}

// withFence is a file with the opening fence put before it, or nil where its first
// lines are not those of a skill's front matter.
func withFence(content []byte) *frontmatter.Document {
	fence := "---\n"
	if first, _, _ := bytes.Cut(content, []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		fence = "---\r\n"
	}
	plain := bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	d, err := frontmatter.Open(append([]byte(fence), plain...))
	if err != nil {
		return nil
	}
	fm, err := d.Read()
	if err != nil {
		return nil
	}
	for _, key := range []string{"name", "description"} {
		if text, ok := fm.Values[key].(string); ok && text != "" {
			return d
		}
	}
	return nil
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

func (r *repairer) apply() error {
	fm, err := r.Read()
	if err != nil {
		return err
	}
	if len(fm.Warnings) > 0 {
		for _, warning := range r.QuoteValues() {
			cause, _, _ := strings.Cut(warning, ";")
			r.recordChange("%s: quoted it", cause)
		}
	}
	for _, key := range []string{"name", "description"} {
		if err := r.lowerKey(key); err != nil {
			return err
		}
	}
	if err := r.fixName(); err != nil {
		return err
	}
	return r.fixDescription()
}

// lowerKey writes a key in lower case where no other has that spelling.
func (r *repairer) lowerKey(key string) error {
	if _, present, err := r.Text(key); present || err != nil {
		return err
	}
	if original := r.RenameKey(key); original != "" {
		r.recordChange("wrote the key %s as %s", original, key)
	}
	return nil
}

func (r *repairer) fixName() error {
	original, present, err := r.Text("name")
	if err != nil || len(nameProblems(CanonicalName(original))) == 0 {
		return err
	}
	name, origin := slugName(original), "in the format's letters"
	if original == "" {
		if name, origin = slugName(r.dirName), "after its directory"; name == "" {
			name, origin = slugName(firstTitle(r.Body)), "after its title"
		}
	}
	switch {
	case name == "" && original == "":
		return ErrMissingName
	case name == "":
		return nil
	case present:
		r.Set("name", name)
	default:
		r.Prepend("name", name)
	}
	r.recordChange("named it %s, %s", name, origin)
	_, titled, err := r.Text("display_name")
	if original != "" && !titled && err == nil {
		r.Set("display_name", original)
		r.recordChange("kept %q as the display name", original)
	}
	return err
}

func (r *repairer) fixDescription() error {
	text, _, err := r.Text("description")
	if err != nil || text != "" {
		return err
	}
	described := descriptionLine(r.Body)
	if described == "" {
		return ErrMissingDescription
	}
	r.Set("description", described)
	r.recordChange("took the description from the body")
	return nil
}
