package transcript

// position is a line of the transcript: the index of a block, and a row. Row 0 is the blank line before
// the block, if it has one.
type position struct{ block, row int }

func (p position) before(q position) bool {
	return p.block < q.block || p.block == q.block && p.row < q.row
}

// Scrolled reports whether the user scrolled away from the end.
func (t *Transcript) Scrolled() bool { return t.scrolled }

// HasUnseen reports whether something was added below since the user scrolled away.
func (t *Transcript) HasUnseen() bool { return t.unseen }

// Follow scrolls to the end and stays there when text is added.
func (t *Transcript) Follow() { t.scrolled, t.unseen, t.pinned = false, false, nil }

// pin keeps the start of a chart or a table in view. Only the first one of an answer is pinned.
func (t *Transcript) pin(b block) {
	if t.pinned == nil && !t.scrolled {
		t.pinned = b
	}
}

// stopAtPinned stops following the end when the pinned block reaches the first line.
func (t *Transcript) stopAtPinned() {
	if t.pinned == nil || t.scrolled {
		return
	}
	i := t.indexOf(t.pinned)
	if head := (position{i, t.gap(i)}); head.before(t.bottom()) {
		t.scrollTo(head)
		t.unseen = true
	}
}

// Home scrolls to the first line.
func (t *Transcript) Home() { t.scrollTo(position{}) }

// Scroll scrolls by n rows, down if positive.
func (t *Transcript) Scroll(n int) { t.scrollTo(t.move(t.first(), n)) }

// Page scrolls by n screens, down if positive; one line of the last screen stays visible.
func (t *Transcript) Page(n int) { t.Scroll(n * max(t.height-1, 1)) }

// move returns the position n rows from p, down if positive, at most the start or the end. The end is
// the position after the last row.
func (t *Transcript) move(p position, n int) position {
	for n < 0 {
		if p.row >= -n {
			return position{p.block, p.row + n}
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
			return position{p.block, p.row + n}
		}
		n -= rows - p.row
		p = position{p.block + 1, 0}
	}
	return p
}

func (t *Transcript) end() position { return position{len(t.blocks), 0} }

// bottom returns the first visible row while the transcript follows its end. The first message moves the
// start page off the screen, even if there is room for both.
func (t *Transcript) bottom() position {
	p := t.move(t.end(), -t.height)
	if t.leftStartPage() && p.block == 0 {
		return position{1, t.gap(1)}
	}
	return p
}

// first returns the first visible row.
func (t *Transcript) first() position {
	bottom := t.bottom()
	// In a wider window or after a card was collapsed, top may be too low.
	if !t.scrolled || bottom.before(t.top) {
		return bottom
	}
	// A block that became shorter may have lost the row of top.
	if t.top.block < len(t.blocks) && t.top.row >= t.rows(t.top.block) {
		return position{t.top.block, t.rows(t.top.block) - 1}
	}
	return t.top
}

// scrollTo scrolls to p; at the end it follows new output.
func (t *Transcript) scrollTo(p position) {
	if !p.before(t.bottom()) {
		t.Follow()
		return
	}
	t.top, t.scrolled, t.pinned = p, true, nil
}
