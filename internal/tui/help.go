package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/help"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// showHelp opens the keys and commands over the transcript.
func (m *Model) showHelp(here keymap.Scope) tea.Cmd {
	subject := help.Subject{Here: here, Keys: m.keys, Commands: m.commands.Items()}
	if m.cfg.Picker == nil {
		subject.Without = []string{"pick"}
	}
	return m.browse(help.Shelf(subject), "")
}
