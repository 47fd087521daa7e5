package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

type (
	editorReadyMsg struct {
		file widget.DraftFile
		err  error
	}
	editorClosedMsg struct {
		file widget.DraftFile
		err  error // how the editor ended
	}
	// draftEditedMsg carries the result of editing the draft.
	draftEditedMsg struct{ widget.EditResult }
)

// openEditor opens the draft in the user's editor.
func (m *Model) openEditor() tea.Cmd {
	text := m.composer.Value()
	return func() tea.Msg {
		s, err := widget.CreateDraftFile(text)
		return editorReadyMsg{s, err}
	}
}

// runEditor gives the terminal to the editor.
func (m *Model) runEditor(msg editorReadyMsg) tea.Cmd {
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return nil
	}
	cmd, err := m.cfg.Editor(msg.file.Path)
	if err != nil {
		m.transcript.Say(transcript.Error, err.Error())
		return func() tea.Msg { return draftEditedMsg{widget.EditResult{Err: msg.file.Remove()}} }
	}
	return m.terminal.Lend(cmd, func(err error) tea.Msg { return editorClosedMsg{msg.file, err} })
}

// readEditedDraft returns the command that reads the file that the editor left.
func (m *Model) readEditedDraft(msg editorClosedMsg) tea.Cmd {
	return func() tea.Msg { return draftEditedMsg{msg.file.ReadBack(msg.err)} }
}

// applyEditedDraft puts the edited text into the composer.
func (m *Model) applyEditedDraft(msg draftEditedMsg) {
	m.terminal.TakeBack()
	if msg.Err != nil {
		m.transcript.Say(transcript.Error, msg.Err.Error())
	}
	if msg.Changed {
		m.composer.Set(markdown.Sanitize(msg.Text))
		m.updateCompletion()
		m.closeLists()
	}
}
