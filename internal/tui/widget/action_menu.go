package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// ActionRow is an action of an ActionMenu.
type ActionRow struct{ Key, Name, About string }

// ActionMenu is the menu of the actions of a list screen. Each has a letter.
type ActionMenu struct {
	st            *Styles
	keys          KeyMap
	title         string
	rows          []ActionRow
	chosen        int
	width, height int
}

// NewActionMenu opens a menu with at least one row.
func NewActionMenu(st *Styles, keys KeyMap, title string, rows []ActionRow) *ActionMenu {
	return &ActionMenu{st: st, keys: keys, title: OneLine(title), rows: rows}
}

// SetSize sets the width of the menu and its maximum height.
func (m *ActionMenu) SetSize(width, height int) { m.width, m.height = width, height }

// Press handles a key. It returns the name of the action to run, or "".
func (m *ActionMenu) Press(k tea.KeyPressMsg) (action string, closed bool) {
	for _, r := range m.rows {
		if r.Key == k.String() {
			return r.Name, true
		}
	}
	switch m.keys.Action(ScopeListScreen, k) {
	case "screen-up":
		m.chosen = max(m.chosen-1, 0)
	case "screen-down":
		m.chosen = min(m.chosen+1, len(m.rows)-1)
	case "screen-enter":
		return m.rows[m.chosen].Name, true
	case "screen-back", "screen-actions":
		return "", true
	}
	return "", false
}

// View draws the title, the rows around the chosen one, and the keys.
func (m *ActionMenu) View() []string {
	names := 0
	for _, r := range m.rows {
		names = max(names, ansi.StringWidth(OneLine(r.Name)))
	}
	space := max(m.height-3, 1)
	from := max(min(m.chosen-space/2, len(m.rows)-space), 0)
	out := []string{m.st.Strong.Apply(FitLine(m.title, m.width)), m.st.Dim.Apply(strings.Repeat("─", m.width))}
	for i, r := range m.rows[from:min(from+space, len(m.rows))] {
		mark, name := "  ", OneLine(r.Name)
		if from+i == m.chosen {
			mark, name = m.st.Accent.Apply("›")+" ", m.st.Accent.Apply(name)
		}
		key := OneLine(KeyLabel(r.Key))
		line := mark + m.st.Accent.Apply(key) + strings.Repeat(" ", max(4-ansi.StringWidth(key), 1)) + name
		line += strings.Repeat(" ", names-ansi.StringWidth(OneLine(r.Name))+3) + m.st.Dim.Apply(OneLine(r.About))
		out = append(out, FitLine(line, m.width))
	}
	hints := m.keys.Hints(m.st.Accent, "   ", ActionHint{"screen-enter", "run"}, ActionHint{"screen-back", "close"})
	return append(out, FitLine(hints, m.width))
}
