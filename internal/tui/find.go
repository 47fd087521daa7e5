package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// openFindBar opens the find bar in the place of the composer, whose text is kept.
func (m *Model) openFindBar() {
	if m.prompt.Open() || m.form != nil || m.historySearch != nil || m.findBar != nil {
		return
	}
	m.commandList.Close()
	m.queue.Close()
	m.transcript.Blur()
	m.findBar = widget.OpenFindBar(m.st, m.keys, m.transcript)
}

// findBarKey handles a key while the find bar is open.
func (m *Model) findBarKey(k tea.KeyPressMsg) tea.Cmd {
	cmd, closed := m.findBar.Press(k, m.componentKey(widget.ScopeSearch, k))
	if closed {
		m.findBar = nil
	}
	return cmd
}
