package tui

import (
	"image/color"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/layout"
)

// hear takes what the terminal says.
func (m *Model) hear(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(msg.Width, 0), max(msg.Height, 0)
	case tea.BackgroundColorMsg:
		m.learnBackground(msg.Color)
	case tea.KeyboardEnhancementsMsg:
		m.tellsCtrlEnter = msg.SupportsKeyDisambiguation()
	case tea.FocusMsg:
		m.watched = true
	case tea.BlurMsg:
		m.watched = false
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	}
}

// note takes what was found or made beside the screen, after which nothing follows.
func (m *Model) note(msg tea.Msg) {
	switch msg := msg.(type) {
	case resultMsg:
		m.showResult(msg)
	case refreshedMsg:
		m.learn(msg.commands)
	case memoryMsg:
		m.recollect(msg)
	case foundMsg:
		m.offers.Take(msg.Found)
	case rewrittenMsg:
		m.rewrite(msg)
	case droppedMsg:
		m.prompt.Drop(&msg.question.Question)
	case disarmMsg:
		if m.quitArmed.Equal(msg.armed) {
			m.disarm()
		}
	}
}

func (m *Model) learnBackground(c color.Color) {
	if c == nil || m.cfg.Theme != ThemeAuto {
		return
	}
	if !(tea.BackgroundColorMsg{Color: c}).IsDark() {
		m.setStyles(m.cfg.styles(ThemeLight))
	}
}

func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.prompt.Open() {
		m.prompt.Disturb()
		if m.prompt.Explaining() {
			return m.reason.Update(msg)
		}
		return nil
	}
	if m.shelf != nil {
		return m.shelf.Paste(msg)
	}
	if m.form != nil {
		return m.form.Write(msg)
	}
	if m.finding != nil {
		return m.finding.Write(msg)
	}
	if m.search != nil {
		return m.searchWith(msg)
	}
	m.transcript.Blur()
	m.queue.Close()
	cmd := m.composer.Update(msg)
	m.typed()
	return cmd
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	step := map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: +3}[msg.Button]
	if m.shelf != nil {
		m.shelf.Wheel(msg.X-layout.Margin(m.width), step)
		return
	}
	m.transcript.Scroll(step)
}

func (m *Model) click(msg tea.MouseClickMsg) {
	if m.shelf != nil {
		if msg.Button == tea.MouseLeft && !m.prompt.Open() {
			m.shelf.Click(msg.X-layout.Margin(m.width), msg.Y)
		}
		return
	}
	if y := msg.Y - m.plan().Top; msg.Button == tea.MouseLeft && y >= 0 {
		m.transcript.ToggleAt(y)
	}
}
