package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draftfile"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

type (
	draftMsg struct {
		file draftfile.File
		err  error
	}
	editedMsg struct {
		file draftfile.File
		err  error // how the editor ended
	}
	// rewrittenMsg is what came of it.
	rewrittenMsg struct{ draftfile.Edited }
)

// edit lets the user go on writing in their editor.
func (m *Model) edit() tea.Cmd {
	text := m.composer.Value()
	return func() tea.Msg {
		s, err := draftfile.Open(text)
		return draftMsg{s, err}
	}
}

// lend gives the terminal to the editor.
func (m *Model) lend(msg draftMsg) tea.Cmd {
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return nil
	}
	cmd, err := m.cfg.Editor(msg.file.Path)
	if err != nil {
		m.transcript.Say(transcript.Error, err.Error())
		return func() tea.Msg { return rewrittenMsg{draftfile.Edited{Err: msg.file.Drop()}} }
	}
	return m.lender.Lend(cmd, func(err error) tea.Msg { return editedMsg{msg.file, err} })
}

// takeBack reads what the editor left, beside the screen.
func (m *Model) takeBack(msg editedMsg) tea.Cmd {
	return func() tea.Msg { return rewrittenMsg{msg.file.Finish(msg.err)} }
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
