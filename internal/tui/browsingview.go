package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/layout"
	"github.com/nfa-cli/nfa/internal/tui/shelf"
)

// docked says whether a question has the last lines of the shelf's screen.
func (m *Model) docked() bool {
	return m.prompt.Open() || m.shelf.form != nil || m.shelf.confirm != nil
}

// dock is what is asked below the shelf. A turn that waits for an approval comes
// before what the user is at.
func (m *Model) dock() []string {
	switch {
	case m.prompt.Open():
		return m.prompt.View()
	case m.shelf.form != nil:
		return m.shelf.form.View()
	case m.shelf.confirm != nil:
		return m.shelf.confirm.View()
	default:
		return nil
	}
}

// layoutShelf gives the shelf what the question below it leaves.
func (m *Model) layoutShelf() {
	on, inner := m.shelf, m.inner()
	if on.form != nil {
		on.form.SetSize(inner, m.height*2/3)
	}
	if on.confirm != nil {
		on.confirm.SetSize(inner, max(m.height*2/3, 3))
	}
	offered := on.offered()
	hints := make([]shelf.Hint, len(offered))
	for i, a := range offered {
		hints[i] = m.hint(on, a)
	}
	on.browser.SetHints(hints)
	on.browser.SetAside(m.meanwhile())
	on.browser.SetDocked(m.docked())
	on.browser.SetSize(inner, m.height-len(m.dock()))
}

// meanwhile is what goes on while the shelf is open.
func (m *Model) meanwhile() string {
	switch {
	case m.shelf.doing != "":
		return m.shelf.doing + " …"
	case m.activity.Running():
		return m.activity.Brief()
	default:
		return ""
	}
}

func (m *Model) shelfRows() []string {
	rows := append(m.shelf.browser.View(), m.dock()...)
	margin := strings.Repeat(" ", layout.Margin(m.width))
	for i, row := range rows {
		rows[i] = margin + row
	}
	if warning := m.status.Warning(); warning != "" && len(rows) > 0 {
		rows[len(rows)-1] = margin + warning
	}
	return rows
}

// shelfCursor stands where something is being written.
func (m *Model) shelfCursor() *tea.Cursor {
	var cursor *tea.Cursor
	height := m.height
	switch {
	case m.prompt.Open():
		cursor, height = m.reasonCursor()
	case m.shelf.form != nil:
		cursor, height = m.shelf.form.cursor()
	case m.shelf.confirm == nil:
		if x, y, ok := m.shelf.browser.Cursor(); ok {
			cursor = tea.NewCursor(x, y)
		}
	}
	if cursor == nil {
		return nil
	}
	cursor.X = min(cursor.X+layout.Margin(m.width), m.width-1)
	cursor.Y = min(max(m.height-height+cursor.Y, 0), m.height-1)
	return cursor
}
