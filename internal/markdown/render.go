package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

const defaultWidth = 80

// Options say how Markdown is laid out.
type Options struct {
	// Width is the maximum number of cells of a line (default 80). At 1, an
	// ellipsis replaces each character of two cells.
	Width int
	// Measure is the maximum number of cells of a line of prose, because long
	// lines are hard to read. Tables and code may use Width. 0 means Width.
	Measure int
	Theme   Theme
	// Hyperlinks makes links clickable with OSC 8 and shows only the host of
	// their target. Only http, https and mailto are clickable.
	Hyperlinks bool
	// MaxColumns is the number of columns above which a table is drawn as
	// "label: value" lines. 0 means that only the width decides.
	MaxColumns int
	// LabelsApart draws each "label: value" pair on its own line.
	LabelsApart bool
	// ScrollTables draws a table that does not fit with fewer columns instead
	// of as "label: value" lines: the first column, and as many others as fit
	// after TableOffset. A line above counts the hidden columns.
	// Use it only on a screen where the user can scroll. Below 44 cells, or if
	// no other column fits next to the first, it has no effect.
	ScrollTables bool
	// TableOffset is the number of columns after the first that are scrolled
	// out of view, at most [TableScroll].
	TableOffset int
}

// Mark is a style for a part of the source, and a text that follows it.
type Mark struct {
	Start, End int // bytes of the source; equal for a mark between two characters
	Style      Style
	Suffix     string
}

// Render lays out src as terminal lines, none wider than o.Width. Each line
// starts and ends in the terminal's default style, so lines can be cut, cached
// and drawn in any order. Render sanitizes src.
func Render(src string, o Options) []string {
	return layOutDocument(src, o, nil).lines
}

// RenderMarked works like Render with marks, which are in text order. They are not drawn if sanitizing changes
// src.
func RenderMarked(src string, o Options, marks []Mark) []string {
	return layOutDocument(src, o, marks).lines
}

// TableScroll returns the maximum TableOffset for src laid out with o, or 0 if all
// tables fit or o does not scroll. It costs as much as [Render].
func TableScroll(src string, o Options) int {
	if !o.ScrollTables {
		return 0
	}
	return layOutDocument(src, o, nil).scroll
}

func layOutDocument(src string, o Options, marks []Mark) *painter {
	source := []byte(Sanitize(src))
	p := newPainter(o)
	if p.src = source; string(source) == src {
		p.marks = marks
	}
	p.children(NewParser(isIdeograph).Parse(text.NewReader(source)), true)
	return p
}

// painter lays out blocks as lines. Containers set the frame of their content.
type painter struct {
	opt   Options
	plain bool
	src   []byte
	marks []Mark
	lines []string
	frame frame

	scroll int // the maximum TableOffset of the tables so far

	first    string // starts the next line instead of frame.rest
	hasFirst bool
	gap      string // a blank line before the next line
	hasGap   bool

	scratch rich
	wrapper wrapper
	roles   [4]Style // of code, by its role
	buf     []byte
}

// frame is the indentation of a block by its containers.
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

// proseWidth returns the width of a line of prose. Even in deep nesting, it keeps half of the measure if
// possible.
func (p *painter) proseWidth() int {
	if p.opt.Measure <= 0 {
		return p.availableWidth()
	}
	return min(p.availableWidth(), max(p.opt.Measure-p.frame.used, p.opt.Measure/2))
}

// emit adds the line in p.buf.
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

// wantGap requests a blank line before the next line.
func (p *painter) wantGap() { p.gap, p.hasGap = p.frame.blank, true }

// children draws the blocks in n, separated by blank lines; in a tight container only where the source
// has one.
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
	in := inliner{src: p.src, marks: p.marks, opt: &p.opt, plain: p.plain, out: out}
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
