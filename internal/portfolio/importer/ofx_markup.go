package importer

import (
	"errors"
	"fmt"
	"strings"
)

// errOFXMarkup means that the tags of a file do not fit together.
var errOFXMarkup = errors.New("tags do not fit together")

// Bounds of a file, far above what any broker writes.
const (
	maxOFXElements = 2_000_000
	maxOFXDepth    = 64
	maxOFXValue    = 16 << 10 // bytes
	maxOFXName     = 40       // bytes
)

// ofxElement is a tag with what stands in it: a value, or other elements.
type ofxElement struct {
	name     string // upper case
	value    string
	line     int // of its tag, counted from 1
	children []*ofxElement
	closed   bool
}

// parseOFX reads the tags of a text, which may leave the closing ones of values out,
// as version 1 of OFX does, or have them all, as version 2 does. What stands before
// the first tag, and declarations other than of entities, are left out.
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

// ofxParser walks through a text once.
type ofxParser struct {
	text     string
	at, line int
	open     []*ofxElement // the root, and those that are not closed yet
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
		return fmt.Errorf("%w: a document type is declared, which OFX does not need and which is not read", errOFXMarkup)
	case strings.HasPrefix(rest, "<?"):
		return p.skipTo("?>")
	case strings.HasPrefix(rest, "</"):
		return p.closing()
	default:
		return p.opening()
	}
}

// opensOFXTag tells a tag from a mere "<" within a value.
func opensOFXTag(s string) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	c := s[1]
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '/' || c == '!' || c == '?'
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

// value reads text up to the next tag. Outside of the root it is the header of
// version 1.
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
		return fmt.Errorf("%w: text stands between the parts of %s", errOFXMarkup, top.name)
	}
	if len(top.value)+len(raw) > maxOFXValue {
		return fmt.Errorf("%w: the value of %s is longer than %d KB", errOFXMarkup, top.name, maxOFXValue>>10)
	}
	if !plain {
		raw = unescapeOFX(raw)
	}
	top.value += raw
	return nil
}

// nextOFXTag is where the next tag begins.
func nextOFXTag(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '<' && opensOFXTag(s[i:]) {
			return i
		}
	}
	return len(s)
}

// unescapeOFX knows the five entities of XML and no others, and reads them once.
func unescapeOFX(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}

// name reads up to the end of a tag; attributes are left out.
func (p *ofxParser) name(from int) (string, bool, error) {
	end := strings.IndexByte(p.text[from:], '>')
	if end < 0 {
		return "", false, fmt.Errorf("%w: a tag is not ended by %q", errOFXMarkup, ">")
	}
	inner := p.text[from : from+end]
	p.advance(from + end + 1 - p.at)
	inner, empty := strings.CutSuffix(inner, "/")
	name, _, _ := strings.Cut(strings.TrimSpace(inner), " ")
	if name == "" || len(name) > maxOFXName || strings.ContainsAny(name, "<\"'&\n\r\t") {
		return "", false, fmt.Errorf("%w: %.40q is no tag", errOFXMarkup, inner)
	}
	return strings.ToUpper(name), empty, nil
}

func (p *ofxParser) opening() error {
	line := p.line
	name, empty, err := p.name(p.at + 1)
	if err != nil {
		return err
	}
	// A value that is not closed ends where the next tag opens.
	if top := p.open[len(p.open)-1]; top.value != "" {
		top.closed = true
		p.open = p.open[:len(p.open)-1]
	}
	p.elements++
	if p.elements > maxOFXElements || len(p.open) > maxOFXDepth {
		return fmt.Errorf("%w: more than %d tags, or %d within each other", errOFXMarkup, maxOFXElements, maxOFXDepth)
	}
	e := &ofxElement{name: name, line: line, closed: empty}
	parent := p.open[len(p.open)-1]
	parent.children = append(parent.children, e)
	if !empty {
		p.open = append(p.open, e)
	}
	return nil
}

// closing ends the nearest open element of its name. Those within it that were not
// closed had no value: they hold nothing, and what seemed to be theirs is beside
// them.
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
		return fmt.Errorf("%w: %s is closed and was not opened", errOFXMarkup, name)
	}
	for j := len(p.open) - 1; j > i; j-- {
		hoistOFXChildren(p.open[j], p.open[j-1])
	}
	p.open[i].closed = true
	p.open = p.open[:i]
	return nil
}

// hoistOFXChildren moves what stands in the last child of parent behind it.
func hoistOFXChildren(child, parent *ofxElement) {
	child.closed = true
	parent.children = append(parent.children, child.children...)
	child.children = nil
}

// checkClosed refuses a file that ends in the middle: its last statement would seem
// whole.
func (p *ofxParser) checkClosed() error {
	for i := len(p.open) - 1; i > 0; i-- {
		if e := p.open[i]; e.value == "" {
			return fmt.Errorf("line %d: %w: %s is not closed; the file ends too early: export it again", e.line, errOFXMarkup, e.name)
		}
	}
	return nil
}
