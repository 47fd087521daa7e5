package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Stream renders Markdown that arrives in pieces. At every moment its lines are those [Render]
// would make of the text so far, with two exceptions: a link by reference finds only the
// definitions above it, and the newest text of one block or line of more than 16 KiB may be shown
// unformatted until the next call of Lines that finds nothing new.
//
// Final text is rendered once. A block is final when the next one has begun; so is a list item,
// and each line of a fence or a table. A Stream is not safe for concurrent use.
type Stream struct {
	opt     Options
	clean   Sanitizer
	text    []byte
	parser  parser.Parser
	painter *painter
	refs    references

	done      int // text[:done] is drawn for good ...
	doneLines int // ... in painter.lines[:n]
	list      listTail
	open      lineBlock // the fence or table that is being written, or nil

	drawnLen    int  // len(text) when Lines last drew
	fullyParsed bool // and whether all of it was parsed
	parsedLen   int  // len(text) when all of it was last parsed
	preview     preview
}

// What is not final, such as a paragraph or the last line of a fence, is parsed
// anew as it grows. Past longBlock it is so only each time it has grown by a
// growth-th part, which bounds the sum by a multiple of its size.
const (
	longBlock = 16 << 10
	growth    = 8
)

// listTail is what an item needs to know of the list it goes on with.
type listTail struct {
	active bool
	number int
	gap    bool
}

// lineBlock is a block whose lines become final one by one.
type lineBlock interface {
	// advance draws the complete lines from s.done on for good and reports
	// whether the block goes on after them.
	advance(s *Stream) bool
	// tail draws the incomplete last line, to be undone.
	tail(s *Stream)
	// head is the number of bytes that are read again with each new line.
	head() int
}

// NewStream returns an empty Stream.
func NewStream(o Options) *Stream {
	return &Stream{opt: o, painter: newPainter(o), drawnLen: -1}
}

// Write adds text, which may end within a rune, an escape sequence or a block.
func (s *Stream) Write(text string) {
	s.text = append(s.text, s.clean.Clean(text)...)
}

// Text returns what was written so far, sanitized.
func (s *Stream) Text() string { return string(s.text) }

// SetOptions changes width or theme; everything is rendered once more. Equal
// options change nothing.
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

// drawWhole makes final what it can and draws the rest after it.
func (s *Stream) drawWhole() {
	p := s.painter
	// A table that is drawn otherwise for now may have fewer lines than are
	// final; it is drawn again before anyone sees them.
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

// drawOpen draws blocks that may still change. Only the first of them can be
// what a list goes on with.
func (s *Stream) drawOpen(blocks []ast.Node) {
	list := s.list
	for _, b := range blocks {
		s.draw(b)
		s.list = listTail{}
	}
	s.list = list
}

// commit makes what is drawn final: it is the text up to end, an offset into
// the whole.
func (s *Stream) commit(end int) {
	s.done, s.doneLines = end, len(s.painter.lines)
}

// parse reads src as a document of its own, which the text that is not final
// is because a block begins where it begins.
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

// preview is how far text that is not parsed yet is drawn as it is: text[:done],
// in the painter's lines[:n]. Only the last line is drawn again as it grows.
type preview struct{ done, n int }

// drawPreview adds what is new since all was parsed as it is.
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

// previewLine draws a line of text and returns where in it the last line that was
// drawn begins, 0 if that is not known.
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

// references are the link definitions that are final, by their label as the
// parser compares labels.
type references map[string]parser.Reference

// define adds a definition. The first one of a label counts.
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

// parseContext lets a parse find the definitions above its text without copying all of them each
// time.
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
