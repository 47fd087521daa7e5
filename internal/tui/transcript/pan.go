package transcript

import (
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// prose draws Markdown whose tables may be wider than the screen: each keeps its
// first column, and the others pass by.
type prose struct {
	offset int

	// most is the largest offset for a text of this length at this width.
	most, length, columns int
}

// wide is a block with such tables.
type wide interface {
	block
	// pan has the columns pass by, on with +1, and reports whether any did.
	pan(st *draw.Styles, width, step int) bool
}

func (p *prose) options(st *draw.Styles, width int) markdown.Options {
	o := st.Markdown(width)
	o.ScrollTables, o.TableOffset = true, p.offset
	return o
}

func (p *prose) render(text string, st *draw.Styles, width int) []string {
	return markdown.Render(text, p.options(st, width))
}

func (p *prose) move(text string, st *draw.Styles, width, step int) bool {
	before := p.offset
	p.offset = min(max(p.offset+step, 0), p.furthest(text, st, width))
	return p.offset != before
}

// furthest is how far the columns of the text can pass by. It is asked at every
// frame while the text has the focus.
func (p *prose) furthest(text string, st *draw.Styles, width int) int {
	if p.length != len(text) || p.columns != width {
		p.length, p.columns = len(text), width
		p.most = markdown.TableScroll(text, p.options(st, width))
	}
	return p.most
}

// Pan has the columns of wide tables pass by in what has the focus, and reports
// whether there were any.
func (t *Transcript) Pan(step int) bool {
	w, ok := t.focused.(wide)
	return ok && w.pan(t.st, t.width, step)
}

// Pannable reports whether what has the focus has columns out of sight.
func (t *Transcript) Pannable() bool {
	switch b := t.focused.(type) {
	case *answer:
		return b.stream == nil && b.furthest(b.source(), t.st, t.width) > 0
	case *card:
		return b.open && b.furthest(b.body(), t.st, b.inner(t.width)) > 0
	case *shown:
		return b.furthest(b.text, t.st, t.width) > 0
	}
	return false
}

func (b *answer) pan(st *draw.Styles, width, step int) bool {
	if b.stream != nil || !b.move(b.source(), st, width, step) {
		return false
	}
	b.forget()
	return true
}

func (b *shown) pan(st *draw.Styles, width, step int) bool {
	if !b.move(b.text, st, width, step) {
		return false
	}
	b.forget()
	return true
}

func (b *card) pan(st *draw.Styles, width, step int) bool {
	if !b.open || !b.move(b.body(), st, b.inner(width), step) {
		return false
	}
	b.forget()
	return true
}
