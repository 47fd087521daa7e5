package ofx

import (
	"errors"
	"fmt"
	"strings"
)

// errMarkup means that the tags of a file do not fit together.
var errMarkup = errors.New("tags do not fit together")

// Bounds of a file, far above what any broker writes.
const (
	mostElements = 2_000_000
	mostDepth    = 64
	mostValue    = 16 << 10 // bytes
	mostName     = 40       // bytes
)

// element is a tag with what stands in it: a value, or other elements.
type element struct {
	name     string // upper case
	value    string
	line     int // of its tag, counted from 1
	children []*element
	closed   bool
}

// parse reads the tags of a text, which may leave the closing ones of values out,
// as version 1 of OFX does, or have them all, as version 2 does. What stands before
// the first tag, and declarations other than of entities, are left out.
func parse(text string) (*element, error) {
	p := parser{text: text, line: 1, open: []*element{{}}}
	for p.at < len(p.text) {
		if err := p.step(); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
	}
	if err := p.unclosed(); err != nil {
		return nil, err
	}
	return p.open[0], nil
}

// parser walks through a text once.
type parser struct {
	text     string
	at, line int
	open     []*element // the root, and those that are not closed yet
	elements int
}

func (p *parser) step() error {
	rest := p.text[p.at:]
	switch {
	case !opensTag(rest):
		return p.value()
	case strings.HasPrefix(rest, "<!--"):
		return p.skipTo("-->")
	case strings.HasPrefix(rest, "<![CDATA["):
		return p.value()
	case strings.HasPrefix(rest, "<!"):
		return fmt.Errorf("%w: a document type is declared, which OFX does not need and which is not read", errMarkup)
	case strings.HasPrefix(rest, "<?"):
		return p.skipTo("?>")
	case strings.HasPrefix(rest, "</"):
		return p.closing()
	default:
		return p.opening()
	}
}

// opensTag tells a tag from a mere "<" within a value.
func opensTag(s string) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	c := s[1]
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '/' || c == '!' || c == '?'
}

func (p *parser) advance(n int) {
	p.line += strings.Count(p.text[p.at:p.at+n], "\n")
	p.at += n
}

func (p *parser) skipTo(end string) error {
	i := strings.Index(p.text[p.at:], end)
	if i < 0 {
		return fmt.Errorf("%w: %q is missing", errMarkup, end)
	}
	p.advance(i + len(end))
	return nil
}

// value reads text up to the next tag. Outside of the root it is the header of
// version 1.
func (p *parser) value() error {
	begin, rest := p.at, p.text[p.at:]
	raw, plain := "", false
	if inner, ok := strings.CutPrefix(rest, "<![CDATA["); ok {
		end := strings.Index(inner, "]]>")
		if end < 0 {
			return fmt.Errorf("%w: %q is missing", errMarkup, "]]>")
		}
		raw, plain = inner[:end], true
		p.advance(len("<![CDATA[") + end + len("]]>"))
	} else {
		p.advance(nextTag(rest))
		raw = p.text[begin:p.at]
	}
	raw = strings.TrimSpace(raw)
	top := p.open[len(p.open)-1]
	if raw == "" || len(p.open) == 1 {
		return nil
	}
	if len(top.children) > 0 {
		return fmt.Errorf("%w: text stands between the parts of %s", errMarkup, top.name)
	}
	if len(top.value)+len(raw) > mostValue {
		return fmt.Errorf("%w: the value of %s is longer than %d KB", errMarkup, top.name, mostValue>>10)
	}
	if !plain {
		raw = unescape(raw)
	}
	top.value += raw
	return nil
}

// nextTag is where the next tag begins.
func nextTag(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '<' && opensTag(s[i:]) {
			return i
		}
	}
	return len(s)
}

// unescape knows the five entities of XML and no others, and reads them once.
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}

// name reads up to the end of a tag; attributes are left out.
func (p *parser) name(from int) (string, bool, error) {
	end := strings.IndexByte(p.text[from:], '>')
	if end < 0 {
		return "", false, fmt.Errorf("%w: a tag is not ended by %q", errMarkup, ">")
	}
	inner := p.text[from : from+end]
	p.advance(from + end + 1 - p.at)
	inner, empty := strings.CutSuffix(inner, "/")
	name, _, _ := strings.Cut(strings.TrimSpace(inner), " ")
	if name == "" || len(name) > mostName || strings.ContainsAny(name, "<\"'&\n\r\t") {
		return "", false, fmt.Errorf("%w: %.40q is no tag", errMarkup, inner)
	}
	return strings.ToUpper(name), empty, nil
}

func (p *parser) opening() error {
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
	if p.elements > mostElements || len(p.open) > mostDepth {
		return fmt.Errorf("%w: more than %d tags, or %d within each other", errMarkup, mostElements, mostDepth)
	}
	e := &element{name: name, line: line, closed: empty}
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
func (p *parser) closing() error {
	name, _, err := p.name(p.at + 2)
	if err != nil {
		return err
	}
	i := len(p.open) - 1
	for i > 0 && p.open[i].name != name {
		i--
	}
	if i == 0 {
		return fmt.Errorf("%w: %s is closed and was not opened", errMarkup, name)
	}
	for j := len(p.open) - 1; j > i; j-- {
		hoist(p.open[j], p.open[j-1])
	}
	p.open[i].closed = true
	p.open = p.open[:i]
	return nil
}

// hoist moves what stands in the last child of parent behind it.
func hoist(child, parent *element) {
	child.closed = true
	parent.children = append(parent.children, child.children...)
	child.children = nil
}

// unclosed refuses a file that ends in the middle: its last statement would seem
// whole.
func (p *parser) unclosed() error {
	for i := len(p.open) - 1; i > 0; i-- {
		if e := p.open[i]; e.value == "" {
			return fmt.Errorf("line %d: %w: %s is not closed; the file ends too early: export it again", e.line, errMarkup, e.name)
		}
	}
	return nil
}
