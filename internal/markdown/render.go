package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

const defaultWidth = 80

// Options say how Markdown is laid out.
type Options struct {
	// Width is the number of cells a line may take; 0 means 80. At 1, an
	// ellipsis stands for each character that takes two.
	Width int
	// Measure is the most cells that a line of prose takes where Width is more,
	// for long lines are hard to read; tables and code take what they need. 0 is
	// no measure.
	Measure int
	Theme   Theme
	// Hyperlinks makes links clickable with OSC 8 and shortens what is shown
	// of their target to the host. Only http, https and mailto are clickable.
	Hyperlinks bool
	// ScrollTables draws a table that does not fit as a window onto its
	// columns instead of as "label: value" lines: the first column, and as
	// many of the others as fit from the one that TableOffset names on. A line
	// above says how many are left out on either side. It is for a screen on
	// which the reader can move the window; where a line leaves for good, as
	// in a pipe, columns must not be left out. Below 44 cells, or where not
	// even one column fits beside the first, there is no window.
	ScrollTables bool
	// TableOffset is the number of columns after the first that every window
	// has moved past, held between 0 and the most that moves it: see
	// [TableScroll].
	TableOffset int
}

// Render lays src out as terminal lines, none wider than o.Width. Each line
// starts and ends in the terminal's default style, so lines can be cut, cached
// and drawn in any order. src may be anything: it passes [Sanitize] first.
func Render(src string, o Options) []string {
	return layOutDocument(src, o).lines
}

// TableScroll returns the greatest TableOffset that still moves a table of src
// laid out with o: 0 where all of them fit or o does not scroll. It costs as
// much as [Render].
func TableScroll(src string, o Options) int {
	if !o.ScrollTables {
		return 0
	}
	return layOutDocument(src, o).scroll
}

func layOutDocument(src string, o Options) *painter {
	source := []byte(Sanitize(src))
	p := newPainter(o)
	p.src = source
	p.children(NewParser(isIdeograph).Parse(text.NewReader(source)), true)
	return p
}

// painter lays blocks out into lines. Containers set the frame their content
// is drawn in.
type painter struct {
	opt   Options
	plain bool
	src   []byte
	lines []string
	frame frame

	scroll int // how far the window of a table can move

	first    string // what the next line begins with instead of frame.rest
	hasFirst bool
	gap      string // a blank line owed before the next line
	hasGap   bool

	scratch rich
	wrapper wrapper
	roles   [4]Style // of code, by its role
	buf     []byte
}

// frame is what the containers around a block put before its lines.
type frame struct {
	rest  string // before each line
	blank string // instead of an empty line: rest without trailing spaces
	used  int    // cells of rest
	depth int    // nesting of lists
	base  Style
}

func newPainter(o Options) *painter {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	p := &painter{opt: o, plain: o.Theme.plain()}
	p.roles[CodePlain] = o.Theme.CodeBlock
	return p
}

func (p *painter) availableWidth() int { return p.opt.Width - p.frame.used }

// proseWidth is the width of a line of prose. Even in deep nesting, some of the measure is left.
func (p *painter) proseWidth() int {
	if p.opt.Measure <= 0 {
		return p.availableWidth()
	}
	return min(p.availableWidth(), max(p.opt.Measure-p.frame.used, p.opt.Measure/2))
}

// emit adds the line that p.buf holds.
func (p *painter) emit() {
	if p.hasGap {
		p.lines = append(p.lines, p.gap)
		p.hasGap = false
	}
	prefix := p.frame.rest
	if p.hasFirst {
		prefix, p.hasFirst = p.first, false
	}
	if len(p.buf) == 0 {
		p.lines = append(p.lines, trimSpaces(prefix))
		return
	}
	p.lines = append(p.lines, prefix+string(p.buf))
}

// wantGap asks for a blank line before whatever is drawn next.
func (p *painter) wantGap() { p.gap, p.hasGap = p.frame.blank, true }

// children draws the blocks in n. Blocks are set apart by a blank line; in a
// tight container only where the source has one.
func (p *painter) children(n ast.Node, apart bool) {
	start := len(p.lines)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if len(p.lines) > start && (apart || c.HasBlankPreviousLines()) {
			p.wantGap()
		}
		p.block(c)
	}
	p.hasGap = p.hasGap && len(p.lines) == start
}

// inline renders the inline children of n into the scratch buffer.
func (p *painter) inline(n ast.Node, style Style) *rich {
	p.scratch.reset()
	p.inlineInto(&p.scratch, n, style)
	return &p.scratch
}

func (p *painter) inlineInto(out *rich, n ast.Node, style Style) {
	in := inliner{src: p.src, opt: &p.opt, plain: p.plain, out: out}
	in.children(n, attr{style: p.frame.base.With(style)})
}

// paragraph wraps r into the frame.
func (p *painter) paragraph(r *rich) {
	if len(r.text) == 0 && !p.hasFirst {
		return
	}
	p.ellipsizeCell(r)
	at := 0
	for _, line := range p.wrapper.wrap(r, p.proseWidth()) {
		p.buf, at = r.appendRange(p.buf[:0], line.start, line.end, at)
		p.emit()
	}
}
