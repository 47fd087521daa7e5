package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/bar"
	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/layout"
)

// plan shares out the rows of the screen.
func (m *Model) plan() layout.Plan {
	return layout.Share(layout.Wants{
		Width: m.width, Height: m.height,
		Input: m.inputHeight(), Queue: m.queueHeight(), List: m.overLine().Height(),
		// While a question is open, the turn waits for the reader, not the reader for it.
		Activity: m.activity.Running() && !m.prompt.Open(),
	})
}

func (m *Model) inputHeight() int {
	if m.prompt.Open() {
		return min(len(m.prompt.View()), m.height)
	}
	if m.form != nil {
		return min(len(m.form.View()), m.height)
	}
	return min(m.line().Height(), max(m.height/3, 1))
}

// line is what one writes in: a message, or the words of a search.
func (m *Model) line() *composer.Composer {
	switch {
	case m.finding != nil:
		return m.finding.Line
	case m.search != nil:
		return m.search.Line
	default:
		return m.composer
	}
}

// queueHeight is the rows that the queue wants: none while it is listed.
func (m *Model) queueHeight() int {
	if m.queue.Open() {
		return 0
	}
	return m.queue.Len()
}

// overLine is the list over the line; at most one is open.
func (m *Model) overLine() interface {
	Height() int
	View() []string
} {
	switch {
	case m.search != nil:
		return m.search.Menu
	case m.queue.Open():
		return m.queue
	case m.offers.Open():
		return m.offers
	default:
		return m.completion
	}
}

// inner is the width between the margins.
func (m *Model) inner() int { return max(m.width-2*layout.Margin(m.width), 1) }

// layout tells the components their sizes. It runs after every message and
// costs nothing when nothing changed.
func (m *Model) layout() {
	inner := m.inner()
	m.header.SetSize(inner)
	m.status.SetSize(inner)
	m.status.Offer(m.choices())
	m.activity.SetSize(inner)
	m.composer.SetSize(inner, max(m.height/3, 1))
	if m.finding != nil {
		m.finding.Line.SetSize(inner, 1)
	}
	m.prompt.SetSize(inner, max(m.height*2/3, 3))
	m.prompt.Quote(m.reasonGiven())
	if m.form != nil {
		m.form.SetSize(inner, m.height*2/3)
	}
	lists := max(m.height/2, 1)
	m.completion.SetSize(inner, lists)
	m.offers.SetSize(inner, lists)
	m.queue.SetSize(inner, lists)
	if m.search != nil {
		m.search.SetSize(inner, lists)
	}
	p := m.plan()
	m.transcript.SetSize(inner, p.Transcript, p.Margin > 0)
	if m.shelf != nil {
		m.layoutShelf()
	}
}

// View draws the screen: what it shows, not what was ever said.
func (m *Model) View() tea.View {
	v := tea.View{
		AltScreen: true, MouseMode: tea.MouseModeCellMotion,
		WindowTitle: m.title(), ReportFocus: m.cfg.Notify != NotifyOff,
	}
	if m.width < 1 || m.height < 1 {
		return v
	}
	p := m.plan()
	var rows []string
	if m.shelf != nil {
		rows, v.Cursor = m.shelfRows(), m.shelfCursor()
	} else {
		rows, v.Cursor = m.rows(p), m.cursor(p)
	}
	for i, row := range rows {
		rows[i] = draw.Fit(row, m.width)
	}
	v.Content = strings.Join(rows[max(len(rows)-m.height, 0):], "\n")
	return v
}

func (m *Model) rows(p layout.Plan) []string {
	margin := strings.Repeat(" ", p.Margin)
	rows := make([]string, 0, m.height+2)
	put := func(lines ...string) {
		for _, line := range lines {
			rows = append(rows, margin+line)
		}
	}
	if p.Header {
		put(m.header.View(), m.rule(""))
	}
	// The transcript draws its own margin: it holds the sign of the focus.
	rows = append(rows, m.transcript.View()...)
	if p.Air > 0 {
		rows = append(rows, "")
	}
	if p.Activity > 0 {
		put("", m.activity.View())
	}
	for _, row := range m.queue.Rows(p.Queue) {
		put(m.st.Dim.Apply(draw.Fit("queued  "+row, m.inner())))
	}
	put(m.overLine().View()[:p.List]...)
	if p.UpperRule {
		put(m.rule(m.sign()))
	}
	put(m.input(p)...)
	if p.Rules {
		put(m.rule(""))
	}
	if p.Status {
		put(m.status.View())
	}
	return rows
}

func (m *Model) input(p layout.Plan) []string {
	lines := m.line().View()
	if m.prompt.Open() {
		lines = m.prompt.View()
	} else if m.form != nil {
		lines = m.form.View()
	}
	return lines[:min(p.Input, len(lines))]
}

// sign says what is below the lines in sight.
func (m *Model) sign() string {
	key := m.keys.Label("bottom")
	if end := m.keys.Label("line-end"); end != "" && m.writesNothing() {
		key = end
	}
	switch {
	case m.transcript.Unseen() && key == "":
		return "↓ new below"
	case m.transcript.Unseen():
		return "↓ new below, " + key
	case m.transcript.Scrolled() && key != "":
		return key + " for the latest"
	default:
		return ""
	}
}

// writesNothing reports whether keys go to an empty line, where those of its two
// ends are about the conversation.
func (m *Model) writesNothing() bool {
	return m.composer.Empty() && m.finding == nil && m.search == nil && m.form == nil && !m.prompt.Open()
}

func (m *Model) rule(label string) string { return bar.Rule(m.st, m.inner(), label) }

// cursor is the terminal's own, so that input methods open where one writes.
func (m *Model) cursor(p layout.Plan) *tea.Cursor {
	cursor, height := m.line().Cursor(), p.Input
	if m.prompt.Open() {
		cursor, height = m.reasonCursor()
	} else if m.form != nil {
		cursor, height = m.form.Cursor()
	} else if m.transcript.Focused() {
		return nil
	}
	if cursor == nil {
		return nil
	}
	cursor.X = min(cursor.X+p.Margin, m.width-1)
	cursor.Y = min(max(m.height-p.Below()-height+cursor.Y, 0), m.height-1)
	return cursor
}

// reasonCursor stands in the reason of a refusal while one is written.
func (m *Model) reasonCursor() (c *tea.Cursor, fromBottom int) {
	if !m.prompt.Explaining() {
		return nil, 0
	}
	return m.reason.Cursor(), m.reason.Height()
}
