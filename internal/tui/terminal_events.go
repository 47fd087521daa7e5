package tui

import (
	"image/color"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// handleTerminalEvent handles messages of the terminal.
func (m *Model) handleTerminalEvent(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(msg.Width, 0), max(msg.Height, 0)
	case tea.BackgroundColorMsg:
		m.setBackground(msg.Color)
	case tea.KeyboardEnhancementsMsg:
		m.hasCtrlEnter = msg.SupportsKeyDisambiguation()
	case tea.FocusMsg:
		m.focused = true
	case tea.BlurMsg:
		m.focused = false
	case tea.MouseWheelMsg:
		m.handleWheel(msg)
	case tea.MouseClickMsg:
		m.handleClick(msg)
	}
}

// handleResult handles results of commands that start nothing else.
func (m *Model) handleResult(msg tea.Msg) {
	switch msg := msg.(type) {
	case resultMsg:
		m.showResult(msg)
	case refreshedMsg:
		m.setCommands(msg.commands)
	case historyMsg:
		m.applyHistory(msg)
	case completionsMsg:
		m.completions.Apply(msg.LookupResult)
	case draftEditedMsg:
		m.applyEditedDraft(msg)
	case approvalDroppedMsg:
		m.prompt.Drop(&msg.request.PendingApproval)
	case quitTimeoutMsg:
		if m.quitArmed.Equal(msg.armedAt) {
			m.clearQuit()
		}
	}
}

func (m *Model) setBackground(c color.Color) {
	if c == nil || m.cfg.Theme != ThemeAuto {
		return
	}
	if !(tea.BackgroundColorMsg{Color: c}).IsDark() {
		m.setStyles(m.cfg.styles(ThemeLight))
	}
}

func (m *Model) handlePaste(msg tea.PasteMsg) tea.Cmd {
	if m.prompt.Open() {
		m.prompt.RestartQuietTime()
		if m.prompt.EditingReason() {
			return m.reason.Update(msg)
		}
		return nil
	}
	if m.listScreen != nil {
		return m.listScreen.Paste(msg)
	}
	if m.form != nil {
		return m.form.Write(msg)
	}
	if m.findBar != nil {
		return m.findBar.Write(msg)
	}
	if m.historySearch != nil {
		return m.updateHistorySearch(msg)
	}
	m.transcript.Blur()
	m.queue.Close()
	cmd := m.composer.Update(msg)
	m.updateCompletion()
	return cmd
}

func (m *Model) handleWheel(msg tea.MouseWheelMsg) {
	step := map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: +3}[msg.Button]
	if m.listScreen != nil {
		m.listScreen.Wheel(msg.X-widget.ScreenMargin(m.width), step)
		return
	}
	m.transcript.Scroll(step)
}

func (m *Model) handleClick(msg tea.MouseClickMsg) {
	if m.listScreen != nil {
		if msg.Button == tea.MouseLeft && !m.prompt.Open() {
			m.listScreen.Click(msg.X-widget.ScreenMargin(m.width), msg.Y)
		}
		return
	}
	if y := msg.Y - m.screenLayout().Top; msg.Button == tea.MouseLeft && y >= 0 {
		m.transcript.ToggleAt(y)
	}
}
