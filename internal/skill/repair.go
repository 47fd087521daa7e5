package skill

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
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
	r := repair{dirName: dirName}
	if err := r.open(content); err != nil {
		return nil, nil, err
	}
	if err := r.mend(); err != nil {
		return nil, nil, err
	}
	if len(r.changes) == 0 {
		return content, nil, nil
	}
	fixed = r.joined()
	if _, _, err := Parse(fixed); err != nil {
		return nil, nil, err
	}
	return fixed, r.changes, nil
}

// repair is a SKILL.md taken apart.
type repair struct {
	dirName string
	fence   []byte // the opening fence
	src     []byte // the front matter, lines ending in \n
	crlf    bool   // as its lines end in the file
	line    int    // of the file, where src begins
	rest    []byte // the closing fence and all that follows
	body    []byte // the end of rest
	changes []string
}

func (r *repair) did(format string, args ...any) {
	r.changes = append(r.changes, fmt.Sprintf(format, args...))
}

func (r *repair) open(content []byte) error {
	src, line, body, err := split(content)
	if err != nil {
		// A fence that is opened and never closed leaves in doubt where the front
		// matter ends.
		if lineIn(err) > 0 {
			return err
		}
		return r.openWithoutFence(content)
	}
	r.take(content, src, line, body)
	if at := bytes.Index(content, []byte("---")); at > 0 {
		r.did("removed what stood before the front matter")
		r.fence = r.fence[at:]
	}
	return nil
}

func (r *repair) take(content, src []byte, line int, body []byte) {
	start := offsetOfLine(content, line)
	r.line, r.body = line, body
	r.fence, r.rest = content[:start], content[start+len(src):]
	r.crlf = bytes.HasSuffix(r.fence, []byte("\r\n"))
	r.src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
}

// offsetOfLine is where a line, counted from 1, begins.
func offsetOfLine(content []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(content[at:], '\n') + 1
	}
	return at
}

func (r *repair) joined() []byte {
	src := r.src
	if r.crlf {
		src = bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	}
	return bytes.Join([][]byte{r.fence, src, r.rest}, nil)
}

// openWithoutFence makes front matter for a file that begins with its title. The
// whole file becomes the body.
func (r *repair) openWithoutFence(content []byte) error {
	body := bytes.TrimPrefix(content, bom)
	title, described := titleOf(body), describedIn(body)
	if title == "" || described == "" {
		return ErrNoFrontMatter
	}
	r.body, r.line = body, 2
	r.fence = []byte("---\n")
	r.rest = append([]byte("---\n\n"), body...)
	first, _, _ := cutLine(body)
	if r.crlf = bytes.HasSuffix(first, []byte("\r")); r.crlf {
		r.fence, r.rest = []byte("---\r\n"), append([]byte("---\r\n\r\n"), body...)
	}
	r.src = append(field("description", described), field("display_name", title)...)
	r.did("wrote front matter, which was missing, from the title and the description line")
	return nil
}

// titleOf is the first heading of the first level.
func titleOf(body []byte) string {
	for line := range proseLines(body) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(title), "#"))
		}
	}
	return ""
}

// describedIn is the text of the first "description:" line, however it is set off.
func describedIn(body []byte) string {
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

func (r *repair) mend() error {
	fm, err := readFrontMatter(r.src, r.line)
	if err != nil {
		return err
	}
	if len(fm.warnings) > 0 {
		mended, warnings := quotePlainText(r.src)
		r.src = bytes.TrimSuffix(mended, []byte("\n"))
		for _, warning := range warnings {
			cause, _, _ := strings.Cut(warning, ";")
			r.did("%s: quoted it", cause)
		}
	}
	for _, key := range []string{"name", "description"} {
		if err := r.recase(key); err != nil {
			return err
		}
	}
	if err := r.mendName(); err != nil {
		return err
	}
	return r.mendDescription()
}

// text is a field as it now stands.
func (r *repair) text(key string) (text string, given bool, err error) {
	fm, err := readFrontMatter(r.src, r.line)
	if err != nil {
		return "", false, err
	}
	_, given = fm.values[key]
	return (&fields{fm: fm}).text(key), given, nil
}

// recase writes a key in lower case where no other has that spelling.
func (r *repair) recase(key string) error {
	if _, given, err := r.text(key); given || err != nil {
		return err
	}
	at := 0
	for line := range bytes.Lines(r.src) {
		found, ok := keyOf(line)
		if ok && strings.EqualFold(found, key) && bytes.HasPrefix(line, []byte(found)) {
			r.src = bytes.Join([][]byte{r.src[:at], []byte(key), r.src[at+len(found):]}, nil)
			r.did("wrote the key %s as %s", found, key)
			return nil
		}
		at += len(line)
	}
	return nil
}

func (r *repair) mendName() error {
	was, given, err := r.text("name")
	if err != nil || len(nameProblems(normaliseName(was))) == 0 {
		return err
	}
	name, from := slug(was), "in the format's letters"
	if was == "" {
		if name, from = slug(r.dirName), "after its directory"; name == "" {
			name, from = slug(titleOf(r.body)), "after its title"
		}
	}
	switch {
	case name == "" && was == "":
		return ErrMissingName
	case name == "":
		return nil
	case given:
		r.src = setField(r.src, "name", name)
	default:
		r.src = append(field("name", name), r.src...)
	}
	r.did("named it %s, %s", name, from)
	_, titled, err := r.text("display_name")
	if was != "" && !titled && err == nil {
		r.src = setField(r.src, "display_name", was)
		r.did("kept %q as the display name", was)
	}
	return err
}

func (r *repair) mendDescription() error {
	text, _, err := r.text("description")
	if err != nil || text != "" {
		return err
	}
	described := describedIn(r.body)
	if described == "" {
		return ErrMissingDescription
	}
	r.src = setField(r.src, "description", described)
	r.did("took the description from the body")
	return nil
}

// SetField gives a SKILL.md with one field of text set, in its place or at the
// end of the front matter. Every other byte stays. A file whose front matter
// cannot be changed so is refused with ErrMalformedYAML.
func SetField(content []byte, key, value string) ([]byte, error) {
	src, line, body, err := split(content)
	if err != nil {
		return nil, err
	}
	var r repair
	r.take(content, src, line, body)
	r.src = setField(r.src, key, value)
	if root, err := yamlTree(r.src, line); err != nil {
		return nil, err
	} else if len(root.Content) == 0 {
		return nil, fmt.Errorf("%w: nothing in it", ErrMalformedYAML)
	}
	if set, _, err := r.text(key); err != nil {
		return nil, err
	} else if set != strings.TrimSpace(value) {
		return nil, fmt.Errorf("%w: %s cannot be set", ErrMalformedYAML, key)
	}
	return r.joined(), nil
}

// setField replaces the lines of a field of the first level, or adds them.
func setField(src []byte, key, value string) []byte {
	at := 0
	for at < len(src) {
		line, _, _ := cutLine(src[at:])
		end := min(at+len(line)+1, len(src))
		if found, ok := keyOf(line); ok && found == key {
			end += continuation(src[end:])
			return bytes.Join([][]byte{src[:at], field(key, value), src[end:]}, nil)
		}
		at = end
	}
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) {
		src = append(bytes.Clone(src), '\n')
	}
	return append(bytes.Clone(src), field(key, value)...)
}

// continuation is the length of the lines that still belong to a value: the
// indented ones and the blank ones between them.
func continuation(src []byte) int {
	length, at := 0, 0
	for line := range bytes.Lines(src) {
		at += len(line)
		switch {
		case line[0] == ' ' || line[0] == '\t':
			length = at
		case len(bytes.TrimSpace(line)) > 0:
			return length
		}
	}
	return length
}

// field is "key: value" in YAML, quoted as the value needs it.
func field(key, value string) []byte {
	line, err := yaml.Marshal(map[string]string{key: strings.TrimSpace(value)})
	if err != nil {
		return []byte(key + ": " + strconv.Quote(value) + "\n")
	}
	return line
}
