package frontmatter

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

var bom = []byte("\xef\xbb\xbf")

// Split splits a file into the YAML between its fences and the body after them. line is the number of
// the first line of the YAML, counted from 1.
//
// A fence is a line of three dashes, with trailing spaces allowed. Indented dashes belong to a value:
// YAML does not allow --- at the start of a line inside a scalar.
func Split(content []byte) (yaml []byte, line int, body []byte, err error) {
	rest := bytes.TrimPrefix(content, bom)
	line = 1
	for {
		first, after, more := cutLine(rest)
		line++
		if isFence(first) {
			rest = after
			break
		}
		if len(bytes.TrimSpace(first)) > 0 || !more {
			return nil, 0, nil, ErrMissing
		}
		rest = after
	}
	for at := 0; at < len(rest); {
		text, after, _ := cutLine(rest[at:])
		if isFence(text) {
			return rest[:at], line, after, nil
		}
		at = len(rest) - len(after)
	}
	return nil, 0, nil, fmt.Errorf("%w: the fence on line %d is never closed", ErrMissing, line-1)
}

func cutLine(b []byte) (line, after []byte, more bool) {
	return bytes.Cut(b, []byte("\n"))
}

func isFence(line []byte) bool {
	after, ok := bytes.CutPrefix(line, []byte("---"))
	return ok && len(bytes.TrimRight(after, " \t\r")) == 0
}

// Document is a file with front matter. It changes fields of the first level and keeps every other
// byte.
type Document struct {
	Body []byte // the text after the front matter

	fence []byte // the text up to the opening fence
	src   []byte // the front matter, with \n line endings
	crlf  bool   // the file has \r\n line endings
	line  int    // number of the first line of src
	rest  []byte // the text from the closing fence on
}

// Open splits content into its parts. It returns ErrMissing if there is no front matter.
func Open(content []byte) (*Document, error) {
	src, line, body, err := Split(content)
	if err != nil {
		return nil, err
	}
	start := offsetOfLine(content, line)
	d := &Document{Body: body, line: line, fence: content[:start], rest: content[start+len(src):]}
	d.crlf = bytes.HasSuffix(d.fence, []byte("\r\n"))
	d.src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	return d, nil
}

// NewDocument adds empty front matter to body, with the same line endings.
func NewDocument(body []byte) *Document {
	body = bytes.TrimPrefix(body, bom)
	d := &Document{Body: body, line: 2, fence: []byte("---\n"), rest: append([]byte("---\n\n"), body...)}
	first, _, _ := cutLine(body)
	if d.crlf = bytes.HasSuffix(first, []byte("\r")); d.crlf {
		d.fence, d.rest = []byte("---\r\n"), append([]byte("---\r\n\r\n"), body...)
	}
	return d
}

// offsetOfLine returns the offset of a line, counted from 1.
func offsetOfLine(content []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(content[at:], '\n') + 1
	}
	return at
}

// Bytes returns the current file.
func (d *Document) Bytes() []byte {
	src := d.src
	if d.crlf {
		src = bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	}
	return bytes.Join([][]byte{d.fence, src, d.rest}, nil)
}

// Read parses the current front matter.
func (d *Document) Read() (Matter, error) { return Read(d.src, d.line) }

// Text returns the current value of a field.
func (d *Document) Text(key string) (text string, found bool, err error) {
	fm, err := d.Read()
	if err != nil {
		return "", false, err
	}
	_, found = fm.Values[key]
	return (&Fields{Matter: fm}).Text(key), found, nil
}

// TrimLeading removes the text before the opening fence and reports whether there was any.
func (d *Document) TrimLeading() bool {
	at := bytes.Index(d.fence, []byte("---"))
	d.fence = d.fence[at:]
	return at > 0
}

// QuoteValues quotes the values that YAML cannot read unquoted and returns a warning for each.
func (d *Document) QuoteValues() []string {
	repaired, warnings := quotePlainText(d.src)
	d.src = bytes.TrimSuffix(repaired, []byte("\n"))
	return warnings
}

// Prepend adds a field before all others.
func (d *Document) Prepend(key, value string) { d.src = append(encodeField(key, value), d.src...) }

// Set replaces the lines of a field, or adds them at the end.
func (d *Document) Set(key, value string) {
	at := 0
	for at < len(d.src) {
		line, _, _ := cutLine(d.src[at:])
		end := min(at+len(line)+1, len(d.src))
		if found, ok := KeyOf(line); ok && found == key {
			end += continuation(d.src[end:])
			d.src = bytes.Join([][]byte{d.src[:at], encodeField(key, value), d.src[end:]}, nil)
			return
		}
		at = end
	}
	if len(d.src) > 0 && !bytes.HasSuffix(d.src, []byte("\n")) {
		d.src = append(bytes.Clone(d.src), '\n')
	}
	d.src = append(bytes.Clone(d.src), encodeField(key, value)...)
}

// SetField returns a copy of a file with one text field set. It keeps every other byte. It returns
// ErrMalformed if it cannot change the front matter this way.
func SetField(content []byte, key, value string) ([]byte, error) {
	d, err := Open(content)
	if err != nil {
		return nil, err
	}
	d.Set(key, value)
	if root, err := Tree(d.src, d.line); err != nil {
		return nil, err
	} else if len(root.Content) == 0 {
		return nil, fmt.Errorf("%w: no fields", ErrMalformed)
	}
	if set, _, err := d.Text(key); err != nil {
		return nil, err
	} else if set != strings.TrimSpace(value) {
		return nil, fmt.Errorf("%w: cannot set %s", ErrMalformed, key)
	}
	return d.Bytes(), nil
}

// Flow returns a field as YAML on one line, a list of plain texts as "a, b", or "" if it is missing.
func (d *Document) Flow(key string) (string, error) {
	root, err := Tree(d.src, d.line)
	if err != nil {
		return "", err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != key {
			continue
		}
		node := root.Content[i+1]
		setFlowStyle(node)
		text, err := yaml.Marshal(node)
		line := strings.Join(strings.Fields(string(text)), " ")
		if inner, ok := strings.CutPrefix(line, "["); ok && !strings.ContainsAny(inner, "{[\"'") {
			line = strings.TrimSuffix(inner, "]")
		}
		return line, err
	}
	return "", nil
}

func setFlowStyle(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	if n.Kind != yaml.ScalarNode {
		n.Style = yaml.FlowStyle
	} else if n.Style == yaml.LiteralStyle || n.Style == yaml.FoldedStyle {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		setFlowStyle(child)
	}
}

// SetFlow returns a copy of a file with one field set to YAML on one line. Text without brackets is
// a list with commas. It returns ErrMalformed if the text is not YAML.
func SetFlow(content []byte, key, value string) ([]byte, error) {
	d, err := Open(content)
	if err != nil {
		return nil, err
	}
	value = strings.Join(strings.Fields(value), " ")
	if !strings.HasPrefix(value, "[") {
		value = "[" + value + "]"
	}
	var list []any
	if err := yaml.Unmarshal([]byte(value), &list); err != nil {
		return nil, fmt.Errorf("%w: %s: write a list such as [a, b]", ErrMalformed, key)
	}
	d.Set(key, "")
	placeholder := encodeField(key, "")
	d.src = bytes.Replace(d.src, placeholder, []byte(key+": "+value+"\n"), 1)
	if _, err := d.Read(); err != nil {
		return nil, err
	}
	return d.Bytes(), nil
}

// KeyOf returns the key if a line of YAML starts a field of the first level.
func KeyOf(line []byte) (string, bool) {
	key, _, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(key) == 0 || strings.ContainsRune(" \t#-", rune(key[0])) {
		return "", false
	}
	return strings.Trim(string(bytes.TrimSpace(key)), `"'`), true
}

// continuation returns the length of the lines that continue a value: indented lines, and blank lines
// between them.
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

// encodeField returns "key: value" in YAML, quoted if necessary.
func encodeField(key, value string) []byte {
	line, err := yaml.Marshal(map[string]string{key: strings.TrimSpace(value)})
	if err != nil {
		return []byte(key + ": " + strconv.Quote(value) + "\n")
	}
	return line
}
