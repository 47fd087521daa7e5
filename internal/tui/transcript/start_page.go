package transcript

import "github.com/nfa-cli/nfa/internal/tui/widget"

// startPage is the first page of a new session.
type startPage struct {
	lineCache
	page     widget.StartPage
	selected int // row, or -1
	height   int
}

func (b *startPage) compact() bool  { return false }
func (b *startPage) source() string { return "" }

func (b *startPage) lines(st *widget.Styles, width int) []string {
	return b.get(st, width, func(st *widget.Styles, width int) []string {
		return b.page.Draw(st, width, b.height, b.selected)
	})
}

// ShowStartPage adds the start page to an empty transcript, or replaces the one that is shown.
func (t *Transcript) ShowStartPage(page widget.StartPage) {
	if b := t.startPage(); b != nil {
		b.page, b.selected = page, min(b.selected, len(page.Rows)-1)
		b.invalidate()
		return
	}
	t.add(&startPage{page: page, selected: -1, height: t.height})
}

// startPage returns the start page, or nil if something else was added below it. Notices do not count.
func (t *Transcript) startPage() *startPage {
	if len(t.blocks) == 0 {
		return nil
	}
	for _, b := range t.blocks[1:] {
		if _, ok := b.(*notice); !ok {
			return nil
		}
	}
	b, _ := t.blocks[0].(*startPage)
	return b
}

// leftStartPage reports whether a message or an answer is below a start page.
func (t *Transcript) leftStartPage() bool {
	if len(t.blocks) == 0 || t.OnStartPage() {
		return false
	}
	_, ok := t.blocks[0].(*startPage)
	return ok
}

// OnStartPage reports whether the session has nothing but its start page.
func (t *Transcript) OnStartPage() bool { return t.startPage() != nil }

// OnStartRow reports whether a row of the start page is selected.
func (t *Transcript) OnStartRow() bool {
	b := t.startPage()
	return b != nil && b.selected >= 0
}

// StartRow returns the selected row of the start page and its index, or a zero row and -1.
func (t *Transcript) StartRow() (row widget.StartRow, index int) {
	if !t.OnStartRow() {
		return widget.StartRow{}, -1
	}
	b := t.startPage()
	return b.page.Rows[b.selected], b.selected
}

// SelectStartRow selects a row of the start page; -1 selects none. It does nothing on another page or
// past the last row.
func (t *Transcript) SelectStartRow(i int) {
	b := t.startPage()
	if b == nil || i >= len(b.page.Rows) || i == b.selected {
		return
	}
	b.selected = max(i, -1)
	b.invalidate()
	if b.selected >= 0 {
		t.Home()
	}
}

// fitStartPage gives the start page the height of the transcript.
func (t *Transcript) fitStartPage() {
	if b := t.startPage(); b != nil && b.height != t.height {
		b.height = t.height
		b.invalidate()
	}
}
