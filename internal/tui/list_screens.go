package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// openListScreen opens a list screen over the transcript, filtered by words.
func (m *Model) openListScreen(s *ListScreen, filter string) tea.Cmd {
	if s == nil {
		return nil
	}
	m.listScreen = OpenListScreen(s, ListScreenDeps{Styles: m.st, Keys: m.keys, FormKeys: m.formKeys, Now: m.cfg.Now}, filter)
	m.commandList.Close()
	m.transcript.Blur()
	return m.listScreen.LoadItems()
}

// closeListScreen closes the list screen and refreshes the commands, which it may have changed.
func (m *Model) closeListScreen() tea.Cmd {
	m.listScreen = nil
	return m.refreshCommands()
}

// readListPage returns the command that renders the visible page.
func (m *Model) readListPage() tea.Cmd {
	if m.listScreen == nil {
		return nil
	}
	return m.listScreen.ReadPage()
}

func (m *Model) listScreenKey(k tea.KeyPressMsg) tea.Cmd {
	cmd, closed := m.listScreen.Press(k)
	if closed {
		return m.closeListScreen()
	}
	return cmd
}

// handleListScreen continues with what a list screen ran outside the update loop.
func (m *Model) handleListScreen(msg ListScreenMsg) tea.Cmd {
	effect, cmd := msg.Handle(m.listScreen)
	if effect.ProgramEnded {
		m.terminal.TakeBack()
	}
	switch {
	case effect.TerminalRequest != nil:
		return tea.Batch(cmd, m.terminal.Lend(effect.TerminalRequest.Cmd, effect.TerminalRequest.OnExit))
	case effect.Compose != "":
		m.insertText(effect.Compose)
		return m.closeListScreen()
	case effect.Resume != nil:
		return tea.Batch(cmd, m.resume(effect.Resume))
	case effect.Late != nil:
		return m.showLateResult(effect.Late)
	}
	return cmd
}

// showLateResult shows the result of an action whose list screen was closed, and refreshes the
// commands.
func (m *Model) showLateResult(l *LateResult) tea.Cmd {
	if l.Err != "" {
		m.transcript.Say(transcript.Error, l.Err)
	} else if l.Message != "" {
		m.transcript.Say(transcript.Info, l.Message)
	}
	return m.refreshCommands()
}

// insertText puts text before the draft.
func (m *Model) insertText(text string) {
	text = markdown.Sanitize(text)
	if !m.composer.Empty() && !strings.HasSuffix(text, " ") {
		text += " "
	}
	m.composer.Set(text + m.composer.Value())
	m.updateCompletion()
}

// approvalLines returns the lines of a pending approval, which come before what the user does on a
// list screen.
func (m *Model) approvalLines() []string {
	if !m.prompt.Open() {
		return nil
	}
	return m.prompt.View()
}

// layoutListScreen gives the list screen all of the screen, and says what is running below it.
func (m *Model) layoutListScreen() {
	meanwhile := ""
	if m.activity.Running() {
		meanwhile = m.activity.Brief()
	}
	m.listScreen.Layout(m.innerWidth(), m.height, m.approvalLines(), meanwhile)
}

func (m *Model) listScreenRows() []string {
	rows := m.listScreen.View(m.approvalLines())
	margin := strings.Repeat(" ", widget.ScreenMargin(m.width))
	for i, row := range rows {
		rows[i] = margin + row
	}
	if warning := m.status.Warning(); warning != "" && len(rows) > 0 {
		rows[len(rows)-1] = margin + warning
	}
	return rows
}

// listScreenCursor returns the cursor of what is being written on the list screen.
func (m *Model) listScreenCursor() *tea.Cursor {
	cursor, lines := m.listScreen.Cursor()
	if m.prompt.Open() {
		cursor, lines = m.reasonCursor()
	}
	if cursor == nil {
		return nil
	}
	cursor.X = min(cursor.X+widget.ScreenMargin(m.width), m.width-1)
	cursor.Y = min(max(m.height-lines+cursor.Y, 0), m.height-1)
	return cursor
}
