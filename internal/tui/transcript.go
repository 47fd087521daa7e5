package tui

// transcript is the conversation so far and the part of it in sight.
//
// It is anchored to a block and a line in it, never to a line count of the
// whole: only blocks in sight are drawn, so that the ten-thousandth message
// costs what the first did and a long session opens at once.
type transcript struct {
	blocks        []block
	st            *styles
	width, height int
	bare          bool // no room for a margin

	top       place // the first line in sight, while not following
	scrolled  bool  // the reader went away from the end
	unseen    bool  // something was added below since
	focused   foldable
	allOpened bool
}

// place is a line of the transcript: a block, and a row in it that counts the
// blank line before the block.
type place struct{ block, row int }

func (p place) before(q place) bool {
	return p.block < q.block || p.block == q.block && p.row < q.row
}

// SetSize gives the transcript its room.
func (t *transcript) SetSize(width, height int) { t.width, t.height = width, height }

// add appends a block.
func (t *transcript) add(b block) {
	if f, ok := b.(foldable); ok && t.allOpened {
		f.setOpen(true)
	}
	t.blocks = append(t.blocks, b)
	t.changed()
}

// changed is told of news at the end, for the sign below.
func (t *transcript) changed() { t.unseen = t.scrolled }

// present appends a block to be read from its first line, also where it is
// longer than the screen.
func (t *transcript) present(b block) {
	t.add(b)
	last := len(t.blocks) - 1
	t.lookAt(place{last, t.gap(last)})
}

// clear forgets everything that was said.
func (t *transcript) clear() {
	*t = transcript{st: t.st, width: t.width, height: t.height}
}

// follow goes back to the end.
func (t *transcript) follow() { t.scrolled, t.unseen = false, false }

func (t *transcript) gap(i int) int {
	if i == 0 || t.blocks[i].compact() && t.blocks[i-1].compact() {
		return 0
	}
	return 1
}

func (t *transcript) rows(i int) int { return t.gap(i) + len(t.blocks[i].lines(t.st, t.width)) }

// move walks n rows from p, down when positive, and stops at either end. The
// end is the place behind the last row.
func (t *transcript) move(p place, n int) place {
	for n < 0 {
		if p.row >= -n {
			return place{p.block, p.row + n}
		}
		n += p.row
		p.row = 0
		if p.block == 0 {
			return p
		}
		p.block--
		p.row = t.rows(p.block)
	}
	for p.block < len(t.blocks) {
		rows := t.rows(p.block)
		if p.row+n < rows {
			return place{p.block, p.row + n}
		}
		n -= rows - p.row
		p = place{p.block + 1, 0}
	}
	return p
}

func (t *transcript) end() place { return place{len(t.blocks), 0} }

// bottom is the first row in sight when the end is.
func (t *transcript) bottom() place { return t.move(t.end(), -t.height) }

// first is the first row in sight.
func (t *transcript) first() place {
	bottom := t.bottom()
	// A wider window or a folded card can leave the anchor too low.
	if !t.scrolled || bottom.before(t.top) {
		return bottom
	}
	// A block that was redrawn shorter may have lost the anchored row.
	if t.top.block < len(t.blocks) && t.top.row >= t.rows(t.top.block) {
		return place{t.top.block, t.rows(t.top.block) - 1}
	}
	return t.top
}

// scroll moves the sight by n rows, down when positive.
func (t *transcript) scroll(n int) { t.lookAt(t.move(t.first(), n)) }

func (t *transcript) lookAt(p place) {
	if !p.before(t.bottom()) {
		t.follow()
		return
	}
	t.top, t.scrolled = p, true
}

func (t *transcript) home() { t.lookAt(place{}) }

// View gives exactly as many lines as there is room for.
func (t *transcript) View() []string {
	out := make([]string, 0, t.height)
	for p := t.first(); p.block < len(t.blocks) && len(out) < t.height; p = (place{p.block + 1, 0}) {
		lines, gap := t.blocks[p.block].lines(t.st, t.width), t.gap(p.block)
		for row := p.row; row < gap+len(lines) && len(out) < t.height; row++ {
			out = append(out, t.line(p.block, row-gap, lines))
		}
	}
	for len(out) < t.height {
		out = append(out, "")
	}
	return out
}

// line draws row i of a block with its margin, where the focus is shown.
func (t *transcript) line(number, i int, lines []string) string {
	if i < 0 {
		return ""
	}
	if t.bare {
		return lines[i]
	}
	margin := " "
	if i == 0 && t.focused != nil && t.blocks[number] == block(t.focused) {
		margin = t.st.accent.Apply("›")
	}
	return margin + lines[i]
}

// toggleAll opens every card, or folds them again.
func (t *transcript) toggleAll() {
	t.allOpened = !t.allOpened
	for _, b := range t.blocks {
		if f, ok := b.(foldable); ok {
			f.setOpen(t.allOpened)
		}
	}
}

// focusNext moves the focus to the next card up (-1) or down (+1), from the end
// when none has it, and brings it into sight. It reports whether there is one.
func (t *transcript) focusNext(step int) bool {
	at := len(t.blocks)
	if t.focused != nil {
		at = t.indexOf(t.focused)
	}
	for i := at + step; i >= 0 && i < len(t.blocks); i += step {
		if f, ok := t.blocks[i].(foldable); ok {
			t.focused = f
			t.reveal(i)
			return true
		}
	}
	return t.focused != nil
}

func (t *transcript) indexOf(b block) int {
	for i := len(t.blocks) - 1; i >= 0; i-- {
		if t.blocks[i] == b {
			return i
		}
	}
	return len(t.blocks)
}

// reveal scrolls as little as needed to show the head of block i.
func (t *transcript) reveal(i int) {
	head := place{i, t.gap(i)}
	first := t.first()
	if head.before(first) {
		t.lookAt(head)
		return
	}
	if last := t.move(first, t.height-1); last.before(head) {
		t.lookAt(t.move(head, 1-t.height))
	}
}

// toggle opens or folds block i, if it can, and keeps its head in sight.
func (t *transcript) toggle(i int) {
	if i >= len(t.blocks) {
		return
	}
	if f, ok := t.blocks[i].(foldable); ok {
		f.setOpen(!f.isOpen())
		t.reveal(i)
	}
}

// toggleFocused opens or folds the card that has the focus.
func (t *transcript) toggleFocused() {
	if t.focused != nil {
		t.toggle(t.indexOf(t.focused))
	}
}

// toggleAt opens or folds the card drawn on line y of the sight.
func (t *transcript) toggleAt(y int) {
	if y < t.height {
		t.toggle(t.move(t.first(), y).block)
	}
}
