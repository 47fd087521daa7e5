package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

const defaultWidth = 80

// Options say how Markdown is laid out.
type Options struct {
	// Width is the number of cells a line may take; 0 means 80. Below 2 a
	// wide character would not fit, so 2 is the least.
	Width int
	Theme Theme
	// Hyperlinks makes links clickable with OSC 8 and shortens what is shown
	// of their target to the host. Only http, https and mailto are clickable.
	Hyperlinks bool
}

// Render lays src out as terminal lines, none wider than o.Width. Each line
// starts and ends in the terminal's default style, so lines can be cut, cached
// and drawn in any order. src may be anything: it passes [Sanitize] first.
func Render(src string, o Options) []string {
	source := []byte(Sanitize(src))
	p := newPainter(o)
	p.src = source
	p.children(newParser().Parse(text.NewReader(source)), true)
	return p.lines
}

// painter lays blocks out into lines. Containers set the frame their content
// is drawn in.
type painter struct {
	opt   Options
	plain bool
	src   []byte
	lines []string
	frame frame

	first    string // what the next line begins with instead of frame.rest
	hasFirst bool
	gap      string // a blank line owed before the next line
	hasGap   bool

	scratch rich
	wrapper wrapper
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
	o.Width = max(o.Width, 2)
	return &painter{opt: o, plain: o.Theme.plain()}
}

func (p *painter) room() int { return p.opt.Width - p.frame.used }

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
	at := 0
	for _, line := range p.wrapper.wrap(r, p.room()) {
		p.buf, at = r.appendRange(p.buf[:0], line.start, line.end, at)
		p.emit()
	}
}
