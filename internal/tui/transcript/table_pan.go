package transcript

import (
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// pannableMarkdown draws Markdown with tables that may be wider than the screen: the first column
// stays, and the others scroll.
type pannableMarkdown struct {
	offset int

	// maxOffset is the largest offset for a text of this length at this width.
	maxOffset, length, columns int
}

// pannable is a block with such tables.
type pannable interface {
	block
	// pan scrolls the columns, on with +1, and reports whether any moved.
	pan(st *widget.Styles, width, step int) bool
}

func (p *pannableMarkdown) options(st *widget.Styles, width int) markdown.Options {
	o := st.Markdown(width)
	o.ScrollTables, o.TableOffset = true, p.offset
	return o
}

func (p *pannableMarkdown) render(text string, st *widget.Styles, width int) []string {
	return markdown.Render(text, p.options(st, width))
}

func (p *pannableMarkdown) move(text string, st *widget.Styles, width, step int) bool {
	before := p.offset
	p.offset = min(max(p.offset+step, 0), p.maxPan(text, st, width))
	return p.offset != before
}

// maxPan returns how far the columns of the text can scroll. It is called for every frame while
// the text has the focus.
func (p *pannableMarkdown) maxPan(text string, st *widget.Styles, width int) int {
	if p.length != len(text) || p.columns != width {
		p.length, p.columns = len(text), width
		p.maxOffset = markdown.TableScroll(text, p.options(st, width))
	}
	return p.maxOffset
}

// Pan scrolls the columns of wide tables in the focused block, and reports whether any moved.
func (t *Transcript) Pan(step int) bool {
	w, ok := t.focused.(pannable)
	return ok && w.pan(t.st, t.width, step)
}

// Pannable reports whether the focused block has columns that are not visible.
func (t *Transcript) Pannable() bool {
	switch b := t.focused.(type) {
	case *answer:
		return b.stream == nil && b.maxPan(b.source(), t.st, t.width) > 0
	case *card:
		return b.open && b.maxPan(b.body(), t.st, b.innerWidth(t.width)) > 0
	case *programOutput:
		return b.maxPan(b.text, t.st, t.width) > 0
	}
	return false
}

func (b *answer) pan(st *widget.Styles, width, step int) bool {
	if b.stream != nil || !b.move(b.source(), st, width, step) {
		return false
	}
	b.invalidate()
	return true
}

func (b *programOutput) pan(st *widget.Styles, width, step int) bool {
	if !b.move(b.text, st, width, step) {
		return false
	}
	b.invalidate()
	return true
}

func (b *card) pan(st *widget.Styles, width, step int) bool {
	if !b.open || !b.move(b.body(), st, b.innerWidth(width), step) {
		return false
	}
	b.invalidate()
	return true
}
