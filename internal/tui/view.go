package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// screenLayout divides the rows of the screen among its parts.
func (m *Model) screenLayout() widget.ScreenLayout {
	return widget.NewScreenLayout(widget.LayoutRequest{
		Width: m.width, Height: m.height,
		Input: m.inputHeight(), Notice: len(m.input.unknownRows(m.measure())), Queue: m.input.queueHeight(), List: m.input.overlay().Height(),
		// While an approval is pending, the turn waits for the user.
		Activity: m.activity.Running() && !m.asking(),
	})
}

// inputHeight returns the height of the question, form or editor.
func (m *Model) inputHeight() int {
	if m.asking() || m.form != nil {
		rows, _, _ := m.inputRows()
		return min(len(rows), m.height)
	}
	return min(m.input.line().Height(), max(m.height/3, 1))
}

// inputRows returns the rows of the question, form or editor, with the cursor relative to the last
// lines rows.
func (m *Model) inputRows() (rows []string, cursor *tea.Cursor, lines int) {
	switch {
	case m.prompt.Open():
		rows = m.prompt.View()
		cursor, lines = m.prompt.Cursor()
	case m.question != nil:
		rows = m.question.View()
		lines = len(rows)
	case m.form != nil:
		rows = m.form.View()
		cursor, lines = m.form.Cursor()
	default:
		rows, lines = m.input.line().View(), m.inputHeight()
		if !m.transcript.Focused() && !m.transcript.OnStartRow() {
			cursor = m.input.line().Cursor()
		}
	}
	return rows, cursor, lines
}

// measure returns the width of everything except list screens.
func (m *Model) measure() int { return widget.Measure(m.width) }

// layout sizes the components. It runs after every message and must be cheap.
func (m *Model) layout() {
	width := m.measure()
	m.status.Hints = m.modeHints()
	m.input.composer.SetPlaceholder(m.placeholder())
	m.input.setSize(width, m.height)
	m.prompt.SetSize(width, max(m.height*2/3, 3))
	m.prompt.SetModelReason(m.modelReason())
	if m.question != nil {
		m.question.SetSize(width, max(m.height*2/3, 3))
	}
	if m.form != nil {
		m.form.SetSize(width, m.height*2/3)
	}
	p := m.screenLayout()
	m.transcript.SetSize(width, p.Transcript, p.Margin > 0)
	if m.listScreen != nil {
		m.layoutListScreen()
	}
}

// View draws the screen. Its cost does not depend on the length of the conversation.
func (m *Model) View() tea.View {
	v := tea.View{
		AltScreen: true, MouseMode: tea.MouseModeCellMotion,
		WindowTitle: m.windowTitle(), ReportFocus: m.chat.Notify != NotifyOff,
	}
	if m.width < 1 || m.height < 1 {
		return v
	}
	var rows []string
	if m.listScreen != nil {
		rows, v.Cursor = m.listScreenRows(), m.listScreenCursor()
	} else if m.search != nil && !m.asking() {
		rows, v.Cursor = m.searchRows()
	} else if m.viewer != nil && !m.asking() {
		rows = m.viewerRows()
	} else {
		rows, v.Cursor = m.rows(m.screenLayout())
	}
	for i, row := range rows {
		rows[i] = widget.FitLine(row, m.width)
	}
	v.Content = strings.Join(rows[max(len(rows)-m.height, 0):], "\n")
	return v
}

func (m *Model) viewerRows() []string {
	margin := widget.ScreenMargin(m.width)
	m.viewer.SetSize(m.width-2*margin, m.height)
	rows := m.viewer.View()
	for i, row := range rows {
		rows[i] = strings.Repeat(" ", margin) + row
	}
	return rows
}

func (m *Model) rows(p widget.ScreenLayout) ([]string, *tea.Cursor) {
	margin := strings.Repeat(" ", p.Margin)
	rows := make([]string, 0, m.height+2)
	put := func(lines ...string) {
		for _, line := range lines {
			rows = append(rows, margin+line)
		}
	}
	if p.Header {
		put(widget.HeaderLine(m.st, m.status.Info, m.measure()), m.rule(""))
	}
	// The transcript draws its margin itself, with the focus marker.
	rows = append(rows, m.transcript.View()...)
	if p.BlankRow > 0 {
		rows = append(rows, "")
	}
	if p.Activity > 0 {
		put("", m.activity.View(m.measure()))
	}
	for _, row := range m.input.queue.Rows(p.Queue) {
		put(m.st.Dim.Apply(widget.FitLine("queued  "+row, m.measure())))
	}
	put(m.input.overlay().View()[:p.List]...)
	put(m.input.unknownRows(m.measure())[:p.Notice]...)
	if p.UpperRule {
		put(m.rule(m.scrollMarker()))
	}
	input, cursor, lines := m.inputRows()
	put(input[:min(p.Input, len(input))]...)
	if p.Rules {
		put(m.rule(""))
	}
	if p.Status {
		put(m.status.View(m.measure()))
	}
	return rows, m.placeCursor(cursor, p.Below()+min(lines, p.Input))
}

// scrollMarker returns the label of the rule below the transcript: whether there is new text below, and
// the key that scrolls to it.
func (m *Model) scrollMarker() string {
	key := m.chat.Keys.Label("bottom")
	if end := m.chat.Keys.Label("line-end"); end != "" && m.isInputEmpty() {
		key = end
	}
	switch {
	case m.transcript.HasUnseen() && key == "":
		return "↓ new below"
	case m.transcript.HasUnseen():
		return "↓ new below, " + key
	case m.transcript.Scrolled() && key != "":
		return key + " for the latest"
	default:
		return ""
	}
}

// isInputEmpty reports whether the composer is empty, so that Home and End scroll the
// conversation.
func (m *Model) isInputEmpty() bool {
	return m.input.composer.Empty() && !m.input.searching() && m.form == nil && !m.asking()
}

func (m *Model) rule(label string) string { return widget.HorizontalRule(m.st, m.measure(), label) }

// placeCursor converts a cursor in the last fromBottom rows to its position on the screen.
func (m *Model) placeCursor(cursor *tea.Cursor, fromBottom int) *tea.Cursor {
	if cursor == nil {
		return nil
	}
	cursor.X = min(cursor.X+widget.ScreenMargin(m.width), m.width-1)
	cursor.Y = min(max(m.height-fromBottom+cursor.Y, 0), m.height-1)
	return cursor
}
