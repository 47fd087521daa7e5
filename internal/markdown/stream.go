package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Stream renders streamed Markdown. Its lines always equal the result of [Render] for the text so far, with
// two exceptions: a reference link finds only the definitions above it, and the newest text of a block or
// line of more than 16 KiB may be unformatted until Lines is called again without new text.
//
// Final text is rendered once. A block or a list item is final when the next one has started, a line of a
// code block or a table when the next line has. A Stream is not safe for concurrent use.
type Stream struct {
	opt     Options
	clean   Sanitizer
	text    []byte
	parser  parser.Parser
	painter *painter
	refs    references

	done      int // text[:done] is final ...
	doneLines int // ... and drawn in painter.lines[:doneLines]
	list      listTail
	open      lineBlock // the code block or table that is being written, or nil

	drawnLen    int  // len(text) when Lines last drew
	fullyParsed bool // and whether all of it was parsed
	parsedLen   int  // len(text) when all of it was last parsed
	preview     preview
}

// Text that is not final, such as a paragraph, is parsed again as it grows. Beyond longBlock it is parsed
// only after it has grown by 1/growth, so that the total cost is proportional to its size.
const (
	longBlock = 16 << 10
	growth    = 8
)

// listTail is the state of a list that continues with another item.
type listTail struct {
	active bool
	number int
	gap    bool
}

// lineBlock is a block whose lines become final one by one.
type lineBlock interface {
	// advance draws the complete lines from s.done on, which are final, and
	// reports whether the block continues after them.
	advance(s *Stream) bool
	// tail draws the incomplete last line, which is not final.
	tail(s *Stream)
	// head returns the number of bytes that are parsed again with each new line.
	head() int
}

// NewStream returns an empty Stream.
func NewStream(o Options) *Stream {
	return &Stream{opt: o, painter: newPainter(o), drawnLen: -1}
}

// Write adds text, which may end inside a rune, an escape sequence or a block.
func (s *Stream) Write(text string) {
	s.text = append(s.text, s.clean.Clean(text)...)
}

// Text returns what was written so far, sanitized.
func (s *Stream) Text() string { return string(s.text) }

// SetOptions changes the options and renders everything again, unless they are equal.
func (s *Stream) SetOptions(o Options) {
	if o == s.opt {
		return
	}
	*s = Stream{opt: o, clean: s.clean, text: s.text, parser: s.parser, painter: newPainter(o), drawnLen: -1}
}

// Lines returns the text so far as lines. The slice is valid until the next call of a method; the
// strings do not change.
func (s *Stream) Lines() []string {
	if s.drawnLen == len(s.text) && s.fullyParsed {
		return s.painter.lines
	}
	open := s.parsedLen - s.done
	if s.open != nil {
		open += s.open.head()
	}
	if open > longBlock && s.drawnLen < len(s.text) && len(s.text)-s.parsedLen < open/growth {
		s.drawPreview()
	} else {
		s.drawWhole()
	}
	s.drawnLen = len(s.text)
	return s.painter.lines
}

// drawWhole draws the text that became final, and the rest after it.
func (s *Stream) drawWhole() {
	p := s.painter
	// If an incomplete row changed the layout of a table, there may be fewer lines than are final; the
	// table is then drawn again below.
	p.lines = p.lines[:s.doneLines]
	p.hasGap, p.hasFirst = false, false
	for complete := false; !complete; {
		if s.open == nil {
			if blocks := s.finalize(s.parse(s.text[s.done:])); s.open == nil {
				s.drawOpen(blocks)
				break
			}
		}
		if complete = s.open.advance(s); complete {
			s.doneLines = len(p.lines)
			s.open.tail(s)
		} else {
			s.open, s.doneLines = nil, len(p.lines)
		}
	}
	s.fullyParsed, s.parsedLen, s.preview = true, len(s.text), preview{len(s.text), len(p.lines)}
}

// drawOpen draws blocks that are not final. Only the first can continue a list.
func (s *Stream) drawOpen(blocks []ast.Node) {
	list := s.list
	for _, b := range blocks {
		s.draw(b)
		s.list = listTail{}
	}
	s.list = list
}

// commit marks the drawn lines, which show s.text[:end], as final.
func (s *Stream) commit(end int) {
	s.done, s.doneLines = end, len(s.painter.lines)
}

// parse parses src as a document. The text that is not final can be parsed separately, because it starts
// with a block.
func (s *Stream) parse(src []byte) []ast.Node {
	if s.parser == nil {
		s.parser = NewParser(isIdeograph)
	}
	s.painter.src = src
	pc := parseContext{parser.NewContext(), s.refs}
	root := s.parser.Parse(text.NewReader(src), parser.WithContext(pc))
	var blocks []ast.Node
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		blocks = append(blocks, n)
	}
	return blocks
}

// preview is the part of the text that is drawn unparsed: text[:done], in painter.lines[:n]. Only its last
// line is drawn again as it grows.
type preview struct{ done, n int }

// drawPreview draws the text since the last parse unformatted.
func (s *Stream) drawPreview() {
	p := s.painter
	p.lines = p.lines[:s.preview.n]
	p.hasGap, p.hasFirst = false, false
	for s.preview.done < len(s.text) {
		line, _, complete := bytes.Cut(s.text[s.preview.done:], []byte{'\n'})
		last := p.previewLine(line)
		if complete {
			s.preview = preview{s.preview.done + len(line) + 1, len(p.lines)}
			continue
		}
		if last > 0 {
			s.preview = preview{s.preview.done + last, len(p.lines) - 1}
		}
		break
	}
	s.fullyParsed = false
}

// previewLine draws a line of text and returns the offset in it at which the last drawn line starts, or 0
// if that is unknown.
func (p *painter) previewLine(line []byte) int {
	r := &p.scratch
	r.reset()
	r.write(bytes.ReplaceAll(line, []byte{'\t'}, []byte{' '}), attr{})
	p.ellipsizeCell(r)
	at, last := 0, 0
	for _, seg := range p.wrapper.wrap(r, p.proseWidth()) {
		if seg.start == seg.end {
			continue
		}
		p.buf, at = r.appendRange(p.buf[:0], seg.start, seg.end, at)
		p.emit()
		last = seg.start
	}
	if len(r.text) != len(line) {
		return 0
	}
	return last
}

// references holds the final link definitions by normalized label.
type references map[string]parser.Reference

// define adds a definition. The first definition of a label wins.
func (s *Stream) define(d *ast.LinkReferenceDefinition) {
	label := util.ToLinkReference(d.Label)
	if _, ok := s.refs[label]; ok {
		return
	}
	if s.refs == nil {
		s.refs = references{}
	}
	s.refs[label] = parser.NewReference(bytes.Clone(d.Label), bytes.Clone(d.Destination), bytes.Clone(d.Title))
}

// parseContext lets a parse find the definitions above its text without copying them.
type parseContext struct {
	parser.Context
	above references
}

func (c parseContext) Reference(label string) (parser.Reference, bool) {
	if ref, ok := c.above[label]; ok {
		return ref, true
	}
	return c.Context.Reference(label)
}
