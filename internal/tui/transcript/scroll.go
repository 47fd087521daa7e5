package transcript

// position is a line of the transcript: a block, and a row in it that counts the
// blank line before the block.
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

// stopAtPinned stops following the end before a pinned chart would scroll out of view. The chart
// is then in the first line, and more text is below.
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

// move walks n rows from p, down when positive, and stops at either end. The
// end is the place behind the last row.
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

// bottom is the first row in sight when the end is.
func (t *Transcript) bottom() position { return t.move(t.end(), -t.height) }

// first is the first row in sight.
func (t *Transcript) first() position {
	bottom := t.bottom()
	// A wider window or a folded card can leave the anchor too low.
	if !t.scrolled || bottom.before(t.top) {
		return bottom
	}
	// A block that was redrawn shorter may have lost the anchored row.
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
