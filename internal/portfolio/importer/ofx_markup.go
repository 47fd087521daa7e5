package importer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errOFXMarkup means that the tags of a file do not match.
var errOFXMarkup = errors.New("mismatched tags")

// Limits of a file, far above any broker's export.
const (
	maxOFXElements = 2_000_000
	maxOFXDepth    = 64
	maxOFXValue    = 16 << 10 // bytes
	maxOFXName     = 40       // bytes
)

// ofxElement is a tag with its content: a value, or other elements.
type ofxElement struct {
	name     string // upper case
	value    string
	line     int // of its tag, starting at 1
	children []*ofxElement
}

// parseOFX parses the tags of a text. Closing tags of values may be missing, as in OFX 1, or
// present, as in OFX 2. Text before the first tag, and declarations other than entities, are
// ignored.
func parseOFX(text string) (*ofxElement, error) {
	p := ofxParser{text: text, line: 1, open: []*ofxElement{{}}}
	for p.at < len(p.text) {
		if err := p.step(); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
	}
	if err := p.checkClosed(); err != nil {
		return nil, err
	}
	return p.open[0], nil
}

// ofxParser reads a text in one pass.
type ofxParser struct {
	text     string
	at, line int
	open     []*ofxElement // the root, and open elements
	elements int
}

func (p *ofxParser) step() error {
	rest := p.text[p.at:]
	switch {
	case !opensOFXTag(rest):
		return p.value()
	case strings.HasPrefix(rest, "<!--"):
		return p.skipTo("-->")
	case strings.HasPrefix(rest, "<![CDATA["):
		return p.value()
	case strings.HasPrefix(rest, "<!"):
		return fmt.Errorf("%w: a document type declaration is not allowed", errOFXMarkup)
	case strings.HasPrefix(rest, "<?"):
		return p.skipTo("?>")
	case strings.HasPrefix(rest, "</"):
		return p.closing()
	default:
		return p.opening()
	}
}

// opensOFXTag distinguishes a tag from a plain "<" in a value.
func opensOFXTag(s string) bool {
	return len(s) >= 2 && s[0] == '<' && (isLetter(s[1]) || s[1] == '/' || s[1] == '!' || s[1] == '?')
}

func (p *ofxParser) advance(n int) {
	p.line += strings.Count(p.text[p.at:p.at+n], "\n")
	p.at += n
}

func (p *ofxParser) skipTo(end string) error {
	i := strings.Index(p.text[p.at:], end)
	if i < 0 {
		return fmt.Errorf("%w: %q is missing", errOFXMarkup, end)
	}
	p.advance(i + len(end))
	return nil
}

// value reads text up to the next tag. Outside the root it is the OFX 1 header.
func (p *ofxParser) value() error {
	begin, rest := p.at, p.text[p.at:]
	raw, plain := "", false
	if inner, ok := strings.CutPrefix(rest, "<![CDATA["); ok {
		end := strings.Index(inner, "]]>")
		if end < 0 {
			return fmt.Errorf("%w: %q is missing", errOFXMarkup, "]]>")
		}
		raw, plain = inner[:end], true
		p.advance(len("<![CDATA[") + end + len("]]>"))
	} else {
		p.advance(nextOFXTag(rest))
		raw = p.text[begin:p.at]
	}
	raw = strings.TrimSpace(raw)
	top := p.open[len(p.open)-1]
	if raw == "" || len(p.open) == 1 {
		return nil
	}
	if len(top.children) > 0 {
		return fmt.Errorf("%w: text between the elements of %s", errOFXMarkup, top.name)
	}
	if len(top.value)+len(raw) > maxOFXValue {
		return fmt.Errorf("%w: the value of %s is longer than %d KB", errOFXMarkup, top.name, maxOFXValue>>10)
	}
	if !plain && strings.Contains(raw, "&") {
		raw = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(raw)
	}
	top.value += raw
	return nil
}

// nextOFXTag returns the index of the next tag.
func nextOFXTag(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '<' && opensOFXTag(s[i:]) {
			return i
		}
	}
	return len(s)
}

// name reads up to the end of a tag, ignoring attributes.
func (p *ofxParser) name(from int) (string, bool, error) {
	end := strings.IndexByte(p.text[from:], '>')
	if end < 0 {
		return "", false, fmt.Errorf("%w: a tag does not end with %q", errOFXMarkup, ">")
	}
	inner := p.text[from : from+end]
	p.advance(from + end + 1 - p.at)
	inner, empty := strings.CutSuffix(inner, "/")
	name, _, _ := strings.Cut(strings.TrimSpace(inner), " ")
	if name == "" || len(name) > maxOFXName || strings.ContainsAny(name, "<\"'&\n\r\t") {
		return "", false, fmt.Errorf("%w: %.40q is not a tag", errOFXMarkup, inner)
	}
	return strings.ToUpper(name), empty, nil
}

func (p *ofxParser) opening() error {
	line := p.line
	name, empty, err := p.name(p.at + 1)
	if err != nil {
		return err
	}
	// A value without a closing tag ends at the next tag.
	if top := p.open[len(p.open)-1]; top.value != "" {
		p.open = p.open[:len(p.open)-1]
	}
	p.elements++
	if p.elements > maxOFXElements || len(p.open) > maxOFXDepth {
		return fmt.Errorf("%w: more than %d tags, or %d nested levels", errOFXMarkup, maxOFXElements, maxOFXDepth)
	}
	e := &ofxElement{name: name, line: line}
	parent := p.open[len(p.open)-1]
	parent.children = append(parent.children, e)
	if !empty {
		p.open = append(p.open, e)
	}
	return nil
}

// closing closes the nearest open element with the name. Unclosed elements within it had no value,
// so elements that seemed to be theirs become their siblings.
func (p *ofxParser) closing() error {
	name, _, err := p.name(p.at + 2)
	if err != nil {
		return err
	}
	i := len(p.open) - 1
	for i > 0 && p.open[i].name != name {
		i--
	}
	if i == 0 {
		return fmt.Errorf("%w: %s is closed but was not opened", errOFXMarkup, name)
	}
	for j := len(p.open) - 1; j > i; j-- {
		child, parent := p.open[j], p.open[j-1]
		parent.children = append(parent.children, child.children...)
		child.children = nil
	}
	p.open = p.open[:i]
	return nil
}

// checkClosed rejects a truncated file, whose last statement would seem complete.
func (p *ofxParser) checkClosed() error {
	for i := len(p.open) - 1; i > 0; i-- {
		if e := p.open[i]; e.value == "" {
			return fmt.Errorf("line %d: %w: %s is not closed; the file is truncated: export it again", e.line, errOFXMarkup, e.name)
		}
	}
	return nil
}

// child returns the first direct child with the name, or nil. e may be nil.
func (e *ofxElement) child(name string) *ofxElement {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// find returns the first element with the name anywhere in e, or nil.
func (e *ofxElement) find(name string) *ofxElement {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			return c
		}
		if found := c.find(name); found != nil {
			return found
		}
	}
	return nil
}

// all returns the elements with the name at any depth in e, but not those inside one another.
func (e *ofxElement) all(name string) []*ofxElement {
	var found []*ofxElement
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
			continue
		}
		found = append(found, c.all(name)...)
	}
	return found
}

// text returns the value of the first element with the name anywhere in e, or "".
func (e *ofxElement) text(name string) string {
	if found := e.find(name); found != nil {
		return found.value
	}
	return ""
}

// cells returns the names and values in e, for a fingerprint.
func (e *ofxElement) cells() []string {
	cells := []string{e.name, e.value, strconv.Itoa(len(e.children))}
	for _, c := range e.children {
		cells = append(cells, c.cells()...)
	}
	return cells
}

// row returns e on one line, for messages.
func (e *ofxElement) row() Row {
	parts := []string{e.name}
	for _, name := range []string{"FITID", "DTTRADE", "DTPOSTED", "TRNTYPE", "INCOMETYPE", "UNIQUEID", "UNITS", "TOTAL", "TRNAMT", "NAME", "MEMO"} {
		if value := e.text(name); value != "" {
			parts = append(parts, value)
		}
	}
	return Row{Line: e.line, Source: strings.Join(parts, " ")}
}
