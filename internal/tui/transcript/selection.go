package transcript

import (
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Selection is the block that has the focus.
type Selection struct {
	Text string // its source: Markdown of an answer, what a tool made for people
	Turn int    // the turn it belongs to, counted from 1; 0 before the first
	// Question is the question of that turn.
	Question string
	// Foldable says that the block can be opened and folded, Opened that it is open.
	Foldable, Opened bool
}

// Focused reports whether a block has the focus.
func (t *Transcript) Focused() bool { return t.focused != nil }

// Blur takes the focus away.
func (t *Transcript) Blur() { t.focused = nil }

// Selected returns the block that has the focus; ok is false if none has.
func (t *Transcript) Selected() (c Selection, ok bool) {
	if t.focused == nil {
		return Selection{}, false
	}
	for _, b := range t.blocks {
		if message, isAsked := b.(*userMessage); isAsked {
			c.Turn++
			c.Question = message.text
		}
		if b == t.focused {
			break
		}
	}
	c.Text = t.focused.source()
	if f, ok := t.focused.(foldable); ok {
		c.Foldable, c.Opened = true, f.isOpen()
	}
	return c, true
}

// QuestionAfter returns the question of the next turn, or "" if this is the last.
func (t *Transcript) QuestionAfter(turn int) string {
	for _, b := range t.blocks {
		if message, ok := b.(*userMessage); ok {
			if turn--; turn < 0 {
				return message.text
			}
		}
	}
	return ""
}

// LastAnswer returns the source of the newest answer, or "".
func (t *Transcript) LastAnswer() string {
	for i := len(t.blocks) - 1; i >= 0; i-- {
		if a, ok := t.blocks[i].(*answer); ok {
			return a.source()
		}
	}
	return ""
}

// ToggleAll opens every card, or folds them again. What the user reads keeps its line: the block
// that has the focus, else the first that begins in view. At the end the transcript stays at the
// end.
func (t *Transcript) ToggleAll() {
	if reading := t.readingIndex(); reading < len(t.blocks) {
		defer t.keepPosition(reading)()
	}
	t.allOpen = !t.allOpen
	for _, b := range t.blocks {
		if f, ok := b.(foldable); ok {
			f.setOpen(t.allOpen)
		}
	}
}

// isSelectable reports whether a block can have the focus: it can be copied or opened.
func isSelectable(b block) bool {
	if _, isNotice := b.(*notice); isNotice {
		return false
	}
	return b.source() != ""
}

// FocusNext moves the focus to the next block up (-1) or down (+1), from the end if none has it,
// and scrolls to it. At the last block it stays.
func (t *Transcript) FocusNext(step int) {
	at := len(t.blocks)
	if t.focused != nil {
		at = t.indexOf(t.focused)
	}
	for i := at + step; i >= 0 && i < len(t.blocks); i += step {
		if isSelectable(t.blocks[i]) {
			t.focused = t.blocks[i]
			t.reveal(i)
			return
		}
	}
}

// ToggleFocused opens or folds the block that has the focus.
func (t *Transcript) ToggleFocused() {
	if t.focused != nil {
		t.toggle(t.indexOf(t.focused))
	}
}

// ToggleAt opens or folds the card drawn on visible line y.
func (t *Transcript) ToggleAt(y int) {
	if y < t.height {
		t.toggle(t.move(t.first(), y).block)
	}
}

func (t *Transcript) indexOf(b block) int {
	for i := len(t.blocks) - 1; i >= 0; i-- {
		if t.blocks[i] == b {
			return i
		}
	}
	return len(t.blocks)
}

// reveal scrolls as little as needed to show the head of block i.
func (t *Transcript) reveal(i int) { t.show(position{i, t.gap(i)}) }

// show scrolls as little as needed to make p visible.
func (t *Transcript) show(p position) {
	first := t.first()
	if p.before(first) {
		t.scrollTo(p)
		return
	}
	if last := t.move(first, t.height-1); last.before(p) {
		t.scrollTo(t.move(p, 1-t.height))
	}
}

// toggle opens or folds block i, if it can. Its head stays on the line where it is, or
// comes into sight; where what has opened ends below the sight, it rises as far as
// that takes and no further than to the first line.
func (t *Transcript) toggle(i int) {
	if i >= len(t.blocks) {
		return
	}
	if f, ok := t.blocks[i].(foldable); ok {
		t.reveal(i)
		again := t.keepPosition(i)
		f.setOpen(!f.isOpen())
		again()
		t.show(position{i, t.rows(i) - 1})
		t.reveal(i)
	}
}

// readingIndex is the block that a reader looks at: that with the focus, else the first whose
// head is in sight; none for one who follows the end.
func (t *Transcript) readingIndex() int {
	if t.focused != nil {
		return t.indexOf(t.focused)
	}
	if !t.scrolled {
		return len(t.blocks)
	}
	p := t.first()
	if p.row > t.gap(p.block) {
		p.block++
	}
	return p.block
}

// keepPosition remembers on which line the head of block i is drawn. What it gives puts it
// there again, whatever has become longer or shorter, as far as there are lines above.
func (t *Transcript) keepPosition(i int) (again func()) {
	first, above, head := t.first(), 0, position{i, t.gap(i)}
	for first.before(head) && above < t.height {
		head, above = t.move(head, -1), above+1
	}
	if above >= t.height || head != first {
		return func() {} // out of sight
	}
	return func() { t.scrollTo(t.move(position{i, t.gap(i)}, -above)) }
}

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
