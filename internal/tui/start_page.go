package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// StartPage is the first page of a new session.
type StartPage = widget.StartPage

// StartRow is something to try on the start page.
type StartRow = widget.StartRow

// StateLine is a fact on the start page.
type StateLine = widget.StateLine

// showStartPage shows the start page, or updates it.
func (m *Model) showStartPage() {
	if m.chat.StartPage != nil {
		m.transcript.ShowStartPage(m.chat.StartPage())
	}
}

// placeholder returns the text of an empty composer on the start page.
func (m *Model) placeholder() string {
	if !m.transcript.OnStartPage() {
		return ""
	}
	if down := m.chat.Keys.Label("newer"); down == "Down" {
		return "Ask a question, or press ↓ to pick one above"
	}
	return "Ask a question"
}

// pressStartRow handles a key while a row of the start page is selected. Any other key is for the
// composer.
func (m *Model) pressStartRow(k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	row, at := m.transcript.StartRow()
	action := m.chat.Keys.Action(widget.ScopeSelection, k)
	if k.Text != "" {
		action = "" // it is typed into the composer
	}
	switch action {
	case "choose-up":
		m.transcript.SelectStartRow(at - 1)
	case "choose-down":
		m.transcript.SelectStartRow(at + 1)
	case "unchoose":
		m.transcript.SelectStartRow(-1)
	case "toggle":
		m.transcript.SelectStartRow(-1)
		return m.submit(row.Message()), true
	default:
		return nil, false // the caller deselects the row
	}
	return nil, true
}
