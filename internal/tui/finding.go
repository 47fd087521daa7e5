package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/composer"
)

// find opens the line that searches in the transcript, in the place of the
// composer, whose text stays.
func (m *Model) find() {
	if m.prompt.Open() || m.form != nil || m.search != nil || m.finding != nil {
		return
	}
	m.completion.Close()
	m.queued.Offer(nil)
	m.transcript.Blur()
	m.finding = composer.New(m.st, "find: ")
	m.finding.SetKeys(m.keys)
}

// findKey handles a key while the search is open.
func (m *Model) findKey(name string, k tea.KeyPressMsg) tea.Cmd {
	switch name {
	case "esc":
		m.stopFinding()
		return nil
	case "enter", "up":
		m.seek(-1)
		return nil
	case "down", "shift+enter":
		m.seek(+1)
		return nil
	}
	return m.findWith(k)
}

// findWith takes a key or a paste into the words, and looks for them.
func (m *Model) findWith(msg tea.Msg) tea.Cmd {
	before := m.finding.Value()
	cmd := m.finding.Update(msg)
	if words := m.finding.Value(); words != before {
		m.transcript.Find(words)
		m.count()
	}
	return cmd
}

func (m *Model) seek(step int) {
	if m.finding.Value() == "" {
		return
	}
	if !m.transcript.FindNext(step) {
		m.finding.SetHint("no more that way")
		return
	}
	m.count()
}

// count says how many things of the transcript hold the words.
func (m *Model) count() {
	at, of := m.transcript.Found()
	switch {
	case m.finding.Value() == "":
		m.finding.SetHint("")
	case of == 0:
		m.finding.SetHint("nothing found")
	default:
		m.finding.SetHint(fmt.Sprintf("%d of %d", at, of))
	}
}

func (m *Model) stopFinding() {
	m.finding = nil
	m.transcript.Find("")
}
