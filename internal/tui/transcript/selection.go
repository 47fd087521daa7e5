package transcript

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Selection describes the block that has the focus.
type Selection struct {
	Text string // its Markdown
	Turn int    // its turn, counted from 1; 0 before the first
	// Question is the question of that turn.
	Question string
	// Foldable is true if the block can be expanded, Opened if it is expanded.
	Foldable, Opened bool
	Answer           bool // the block is the text of an answer
	// ChartCommand is the command that drew the block, if it is a chart of a command.
	ChartCommand string
}

// Focused reports whether a block has the focus.
func (t *Transcript) Focused() bool { return t.focused != nil }

// Blur removes the focus.
func (t *Transcript) Blur() {
	t.focused = nil
	t.SelectStartRow(-1)
}

// Selected returns the block that has the focus; ok is false if none has.
func (t *Transcript) Selected() (c Selection, ok bool) {
	if t.focused == nil {
		return Selection{}, false
	}
	for _, b := range t.blocks {
		if message, ok := b.(*userMessage); ok {
			c.Turn++
			c.Question = message.text
		}
		if b == t.focused {
			break
		}
	}
	c.Text = t.focused.source()
	_, c.Answer = t.focused.(*answer)
	if output, ok := t.focused.(*programOutput); ok && output.chart != nil {
		c.ChartCommand = output.command
	}
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

// ToggleAll expands all cards, or collapses them again. The block that the user reads keeps its line on
// the screen.
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

// isSelectable reports whether a block can have the focus.
func isSelectable(b block) bool {
	switch b := b.(type) {
	case *notice:
		return false
	case *programOutput:
		return b.chart != nil || b.text != ""
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

// FocusedInFull returns the title of the block that has the focus, and a function that draws all of it with
// its chart fitted to a height. ok is false if no block has the focus.
func (t *Transcript) FocusedInFull() (title string, draw func(width, height int) []string, ok bool) {
	var spec *chart.Spec
	var text func(width int) []string
	st := t.st
	switch b := t.focused.(type) {
	case nil:
		return "", nil, false
	case *card:
		title, spec = strings.TrimSpace(b.displayName()+" · "+b.result.Title), b.result.Chart
		text = func(width int) []string { return b.textLines(st, width) }
	case *programOutput:
		title, spec = b.command, b.chart
		text = func(width int) []string { return b.render(b.text, st, width) }
	default:
		text = func(width int) []string { return markdown.Render(b.source(), st.Markdown(width)) }
	}
	return title, func(width, height int) []string {
		lines := text(width - 2)
		if spec == nil {
			return lines
		}
		if len(lines) > 0 { // the first of them stay visible
			lines = append([]string{""}, lines...)
			height = max(height-min(len(lines), height/3)-1, 1)
		}
		return append(st.RenderChart(*spec, width-2, height), lines...)
	}, true
}

// OpenCard expands the card of a call, and gives it the focus. It reports whether there is one.
func (t *Transcript) OpenCard(call string) bool {
	for i, b := range slices.Backward(t.blocks) {
		group := b
		cards := []*card{}
		switch b := b.(type) {
		case *card:
			cards = append([]*card{b}, b.steps...)
		case *cardGroup:
			cards = b.cards
		}
		for _, c := range cards {
			if c.id == call {
				c.setOpen(true)
				group.(foldable).setOpen(true)
				t.focused = group
				t.show(position{i, t.rows(i) - 1})
				t.reveal(i)
				return true
			}
		}
	}
	return false
}

// ToggleFocused expands or collapses the block that has the focus.
func (t *Transcript) ToggleFocused() {
	if t.focused != nil {
		t.toggle(t.indexOf(t.focused))
	}
}

// ToggleAt expands or collapses the card at visible line y.
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

// toggle expands or collapses block i, if possible. Its head keeps its line on the screen, unless it
// must move up to show more of the expanded block.
func (t *Transcript) toggle(i int) {
	if i >= len(t.blocks) {
		return
	}
	if f, ok := t.blocks[i].(foldable); ok {
		t.reveal(i)
		restore := t.keepPosition(i)
		f.setOpen(!f.isOpen())
		restore()
		t.show(position{i, t.rows(i) - 1})
		t.reveal(i)
	}
}

// readingIndex returns the index of the block that the user reads: the one with the focus, else the
// first whose head is visible, or len(t.blocks) while the transcript follows its end.
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

// keepPosition notes the line on which the head of block i is drawn. restore scrolls so that it is
// drawn there again, if possible.
func (t *Transcript) keepPosition(i int) (restore func()) {
	first, above, head := t.first(), 0, position{i, t.gap(i)}
	for first.before(head) && above < t.height {
		head, above = t.move(head, -1), above+1
	}
	if above >= t.height || head != first {
		return func() {} // not visible
	}
	return func() { t.scrollTo(t.move(position{i, t.gap(i)}, -above)) }
}

// pannableMarkdown draws Markdown with tables that may be wider than the screen. Their first column is
// fixed, and the others scroll.
type pannableMarkdown struct {
	offset int

	// maxOffset is the largest offset for a text of this length at this width.
	maxOffset, length, columns int
}

// pannable is a block with such tables.
type pannable interface {
	block
	// pan scrolls the columns, to the right with +1, and reports whether any moved.
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

// maxPan returns the maximum offset. It caches it, because it is called for every frame while the text
// has the focus.
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

// Pannable reports whether the focused block has tables that can scroll.
func (t *Transcript) Pannable() bool {
	switch b := t.focused.(type) {
	case *answer:
		return b.stream == nil && b.maxPan(b.source(), t.st, t.width) > 0
	case *card:
		text, width := b.shownText(t.width)
		return b.maxPan(text, t.st, width) > 0
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
	text, width := b.shownText(width)
	if !b.move(text, st, width, step) {
		return false
	}
	b.invalidate()
	return true
}
