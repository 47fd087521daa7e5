package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/sheet"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

type (
	sheetMsg struct {
		sheet sheet.Sheet
		err   error
	}
	editedMsg struct {
		sheet sheet.Sheet
		err   error // how the editor ended
	}
	// rewrittenMsg is what came of it.
	rewrittenMsg struct{ sheet.Edited }
)

// edit lets the user go on writing in their editor.
func (m *Model) edit() tea.Cmd {
	text := m.composer.Value()
	return func() tea.Msg {
		s, err := sheet.Open(text)
		return sheetMsg{s, err}
	}
}

// lend gives the terminal to the editor.
func (m *Model) lend(msg sheetMsg) tea.Cmd {
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return nil
	}
	cmd, err := m.cfg.Editor(msg.sheet.Path)
	if err != nil {
		m.transcript.Say(transcript.Error, err.Error())
		return func() tea.Msg { return rewrittenMsg{sheet.Edited{Err: msg.sheet.Drop()}} }
	}
	return m.lender.Lend(cmd, func(err error) tea.Msg { return editedMsg{msg.sheet, err} })
}

// takeBack reads what the editor left, beside the screen.
func (m *Model) takeBack(msg editedMsg) tea.Cmd {
	return func() tea.Msg { return rewrittenMsg{msg.sheet.Finish(msg.err)} }
}

// rewrite puts what was edited into the composer.
func (m *Model) rewrite(msg rewrittenMsg) {
	m.lender.TakeBack()
	if msg.Err != nil {
		m.transcript.Say(transcript.Error, msg.Err.Error())
	}
	if msg.Changed {
		m.composer.Set(markdown.Sanitize(msg.Text))
		m.typed()
		m.closeLists()
	}
}
