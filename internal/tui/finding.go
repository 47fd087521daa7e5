package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/finding"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// find opens the line that searches in the transcript, in the place of the
// composer, whose text stays.
func (m *Model) find() {
	if m.prompt.Open() || m.form != nil || m.search != nil || m.finding != nil {
		return
	}
	m.completion.Close()
	m.queue.Close()
	m.transcript.Blur()
	m.finding = finding.Open(m.st, m.keys, m.transcript)
}

// findKey handles a key while the search is open.
func (m *Model) findKey(k tea.KeyPressMsg) tea.Cmd {
	cmd, closed := m.finding.Press(k, m.known(keymap.Finding, k))
	if closed {
		m.finding = nil
	}
	return cmd
}
