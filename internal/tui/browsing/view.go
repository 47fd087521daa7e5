package browsing

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/shelf"
)

// SetStyles changes the theme.
func (on *Screen) SetStyles(st *draw.Styles) {
	on.with.Styles = st
	on.browser.SetStyles(st)
	if on.form != nil {
		on.form.SetStyles(st)
	}
	if on.confirm != nil {
		on.confirm.SetStyles(st)
	}
}

// Asks reports whether something is asked in the last lines of the screen.
func (on *Screen) Asks() bool { return on.form != nil || on.confirm != nil }

// dock is what is asked there. What the chat asks, over, comes before what the user is
// at.
func (on *Screen) dock(over []string) []string {
	switch {
	case len(over) > 0:
		return over
	case on.form != nil:
		return on.form.View()
	case on.confirm != nil:
		return on.confirm.View()
	default:
		return nil
	}
}

// Layout gives the screen its size, with what the chat asks in its last lines, if it
// does, and what else goes on meanwhile.
func (on *Screen) Layout(width, height int, over []string, aside string) {
	on.height = height
	if on.form != nil {
		on.form.SetSize(width, height*2/3)
	}
	if on.confirm != nil {
		on.confirm.SetSize(width, max(height*2/3, 3))
	}
	offered := on.offered()
	hints := make([]shelf.Hint, len(offered))
	for i, a := range offered {
		hints[i] = on.hint(a)
	}
	if on.doing != "" {
		aside = on.doing + " …"
	}
	on.browser.SetHints(hints)
	on.browser.SetAside(aside)
	on.browser.SetDocked(len(over) > 0 || on.Asks())
	on.browser.SetSize(width, height-len(on.dock(over)))
}

// View draws the screen, with what the chat asks in its last lines.
func (on *Screen) View(over []string) []string { return append(on.browser.View(), on.dock(over)...) }

// Cursor stands where something is being written, in the last so many lines of View.
func (on *Screen) Cursor() (c *tea.Cursor, lines int) {
	switch {
	case on.form != nil:
		return on.form.Cursor()
	case on.confirm == nil:
		if x, y, ok := on.browser.Cursor(); ok {
			return tea.NewCursor(x, y), on.height
		}
	}
	return nil, 0
}

// Wheel scrolls what stands at a column.
func (on *Screen) Wheel(x, lines int) { on.browser.Wheel(x, lines) }

// Click stands on the row at a place, while nothing is asked.
func (on *Screen) Click(x, y int) {
	if !on.Asks() {
		on.browser.Click(x, y)
	}
}
