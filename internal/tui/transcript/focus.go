package transcript

// Focused reports whether a card has the focus.
func (t *Transcript) Focused() bool { return t.focused != nil }

// Blur takes the focus away.
func (t *Transcript) Blur() { t.focused = nil }

// ToggleAll opens every card, or folds them again.
func (t *Transcript) ToggleAll() {
	t.allOpened = !t.allOpened
	for _, b := range t.blocks {
		if f, ok := b.(foldable); ok {
			f.setOpen(t.allOpened)
		}
	}
}

// FocusNext moves the focus to the next card up (-1) or down (+1), from the end
// when none has it, and brings it into sight. At the last one it stays.
func (t *Transcript) FocusNext(step int) {
	at := len(t.blocks)
	if t.focused != nil {
		at = t.indexOf(t.focused)
	}
	for i := at + step; i >= 0 && i < len(t.blocks); i += step {
		if f, ok := t.blocks[i].(foldable); ok {
			t.focused = f
			t.reveal(i)
			return
		}
	}
}

// ToggleFocused opens or folds the card that has the focus.
func (t *Transcript) ToggleFocused() {
	if t.focused != nil {
		t.toggle(t.indexOf(t.focused))
	}
}

// ToggleAt opens or folds the card drawn on line y of the sight.
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
func (t *Transcript) reveal(i int) {
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
func (t *Transcript) toggle(i int) {
	if i >= len(t.blocks) {
		return
	}
	if f, ok := t.blocks[i].(foldable); ok {
		f.setOpen(!f.isOpen())
		t.reveal(i)
	}
}
