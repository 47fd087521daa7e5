package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// showHelp opens the keys and commands over the transcript.
func (m *Model) showHelp(here widget.KeyScope) tea.Cmd {
	subject := HelpSubject{Scope: here, Keys: m.keys, Commands: m.commands.Items()}
	if m.cfg.Picker == nil {
		subject.HiddenKeys = []string{"pick"}
	}
	return m.openListScreen(HelpScreen(subject), "")
}
