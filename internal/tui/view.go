package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// plan is how the rows of the screen are shared out. What a small screen gives
// up first is what it needs least: rules, then the header, then the status.
type plan struct {
	margin               int
	header, rules        bool
	upperRule, status    bool
	activity, queue, pop int
	air                  int // a blank row below the transcript
	composer             int
	top, transcript      int // the transcript's first row and its height
}

func (m *Model) plan() plan {
	p := plan{
		header: m.height >= 10, rules: m.height >= 10, upperRule: m.height >= 6, status: m.height >= 3,
	}
	p.margin = m.margin()
	left := m.height
	take := func(n int) int {
		n = max(min(n, left), 0)
		left -= n
		return n
	}
	p.composer = take(m.inputHeight())
	if p.status {
		take(1)
	}
	if p.upperRule {
		take(1)
	}
	if p.header {
		p.top = take(2)
	}
	if p.rules {
		take(1)
	}
	// While a question is open, the turn waits for the reader, not the reader for it.
	if m.activity.running() && !m.prompt.open() && left > 2 {
		p.activity = take(2)
	}
	p.queue = take(min(len(m.queue), left/3))
	p.pop = take(min(m.completion.height(), left))
	if p.pop > 0 && p.upperRule {
		// The frame of the list stands for the rule.
		p.upperRule = false
		left++
	}
	if m.height >= 20 && p.activity+p.queue+p.pop == 0 {
		p.air = take(1)
	}
	p.transcript = left
	return p
}

func (m *Model) inputHeight() int {
	if m.prompt.open() {
		return min(len(m.prompt.View()), m.height)
	}
	if m.form != nil {
		return min(len(m.form.View()), m.height)
	}
	return min(m.composer.height(), max(m.height/3, 1))
}

// margin is what stays free at both sides.
func (m *Model) margin() int {
	if m.width >= 20 {
		return 1
	}
	return 0
}

func (m *Model) inner() int { return max(m.width-2*m.margin(), 1) }

// layout tells the components their sizes. It runs after every message and
// costs nothing when nothing changed.
func (m *Model) layout() {
	inner := m.inner()
	m.header.SetSize(inner)
	m.status.SetSize(inner)
	m.activity.SetSize(inner)
	m.composer.SetSize(inner, max(m.height/3, 1))
	m.prompt.SetSize(inner, max(m.height*2/3, 3))
	if m.form != nil {
		m.form.SetSize(inner, m.height*2/3)
	}
	m.completion.SetSize(inner, max(m.height/2, 1))
	p := m.plan()
	m.transcript.SetSize(inner, p.transcript, p.margin > 0)
	if m.shelf != nil {
		m.layoutShelf()
	}
}

// View draws the screen: what it shows, not what was ever said.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, MouseMode: tea.MouseModeCellMotion}
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

func (m *Model) rows(p plan) []string {
	margin := strings.Repeat(" ", p.margin)
	rows := make([]string, 0, m.height+2)
	put := func(lines ...string) {
		for _, line := range lines {
			rows = append(rows, margin+line)
		}
	}
	if p.header {
		put(m.header.View(), m.rule(""))
	}
	// The transcript draws its own margin: it holds the sign of the focus.
	rows = append(rows, m.transcript.View()...)
	if p.air > 0 {
		rows = append(rows, "")
	}
	if p.activity > 0 {
		put("", m.activity.View())
	}
	for _, s := range m.queue[len(m.queue)-p.queue:] {
		put(m.st.Dim.Apply(draw.Fit("queued  "+draw.OneLine(s.text), m.inner())))
	}
	put(m.completion.View()[:p.pop]...)
	if p.upperRule {
		put(m.rule(m.sign()))
	}
	put(m.input(p)...)
	if p.rules {
		put(m.rule(""))
	}
	if p.status {
		put(m.status.View())
	}
	return rows
}

func (m *Model) input(p plan) []string {
	lines := m.composer.View()
	if m.prompt.open() {
		lines = m.prompt.View()
	} else if m.form != nil {
		lines = m.form.View()
	}
	return lines[:min(p.composer, len(lines))]
}

// sign says what is below the lines in sight.
func (m *Model) sign() string {
	switch {
	case m.transcript.Unseen():
		return "↓ new below, End"
	case m.transcript.Scrolled():
		return "End for the latest"
	default:
		return ""
	}
}

func (m *Model) rule(label string) string {
	width := m.inner()
	if label == "" || width < len(label)+6 {
		return m.st.Dim.Apply(strings.Repeat("─", width))
	}
	tail := " ──"
	line := strings.Repeat("─", width-len([]rune(label))-len([]rune(tail))-1) + " "
	return m.st.Dim.Apply(line) + m.st.Accent.Apply(label) + m.st.Dim.Apply(tail)
}

// cursor is the terminal's own, so that input methods open where one writes.
func (m *Model) cursor(p plan) *tea.Cursor {
	below := 0
	if p.rules {
		below++
	}
	if p.status {
		below++
	}
	cursor, height := m.composer.cursor(), p.composer
	if m.prompt.open() {
		cursor, height = m.prompt.cursor()
	} else if m.form != nil {
		cursor, height = m.form.cursor()
	} else if m.transcript.Focused() {
		return nil
	}
	if cursor == nil {
		return nil
	}
	cursor.X = min(cursor.X+p.margin, m.width-1)
	cursor.Y = min(max(m.height-below-height+cursor.Y, 0), m.height-1)
	return cursor
}
