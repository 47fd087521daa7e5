package widget

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// MenuRow is a row of a Menu. All of it may be outside text.
type MenuRow struct {
	Label      string
	MatchWords []string // words to highlight in Label, which is clipped around the first match
	Hint       string   // between label and description, on a wide screen
	About      string   // next to the label, if it fits
	Kind       string   // one word at the right edge
	Group      string   // heading; rows of a group are neighbors
}

// Menu is a list above the composer with one highlighted row. Create it with NewMenu; it is not safe
// for concurrent use.
type Menu struct {
	st      *Styles
	width   int
	maxRows int // maximum height, including the frame
	title   string
	// Steady keeps the height while the rows change, until the menu closes.
	Steady  bool
	tallest int // height to keep

	rows   []MenuRow
	chosen int
	from   int // the first visible row
}

// NewMenu returns an empty menu. title is shown in its frame; it may be empty.
func NewMenu(st *Styles, title string) *Menu { return &Menu{st: st, title: title} }

// SetSize sets the width of the menu and its maximum height.
func (m *Menu) SetSize(width, height int) {
	m.width, m.maxRows = width, height
	m.scrollToChosen()
}

// SetRows replaces the rows and highlights the first.
func (m *Menu) SetRows(rows []MenuRow) {
	m.rows, m.chosen, m.from = rows, 0, 0
	if len(rows) == 0 {
		m.tallest = 0
	}
	if m.Steady {
		m.tallest = max(m.tallest, m.neededHeight())
	}
}

// Open reports whether there are rows.
func (m *Menu) Open() bool { return len(m.rows) > 0 }

// Len returns the number of rows.
func (m *Menu) Len() int { return len(m.rows) }

// Chosen returns the index of the highlighted row.
func (m *Menu) Chosen() int { return m.chosen }

// Choose moves the highlight and wraps at both ends.
func (m *Menu) Choose(step int) {
	if n := len(m.rows); n > 0 {
		m.chosen = (m.chosen + step%n + n) % n
		m.scrollToChosen()
	}
}

// step moves the highlight by the action "list-up" or "list-down".
func (m *Menu) step(action string) {
	if action == "list-up" {
		m.Choose(-1)
	} else {
		m.Choose(+1)
	}
}

// scrollToChosen scrolls to the highlighted row.
func (m *Menu) scrollToChosen() {
	if rows := m.visibleCount(); m.chosen < m.from {
		m.from = m.chosen
	} else if rows > 0 && m.chosen >= m.from+rows {
		m.from = m.chosen - rows + 1
	}
}

func (m *Menu) visibleCount() int {
	const most = 8
	frame := 2
	if len(m.rows) > 0 && m.rows[0].Group != m.rows[len(m.rows)-1].Group {
		frame = 3 // with the heading of a second group
	}
	return min(len(m.rows), most, m.maxRows-frame)
}

// neededHeight returns the height for the visible rows with their frame.
func (m *Menu) neededHeight() int {
	rows := m.visibleCount()
	if rows <= 0 || m.width < 8 {
		return 0
	}
	height := rows + 2
	for i := m.from + 1; i < m.from+rows; i++ {
		if m.rows[i].Group != m.rows[i-1].Group {
			height++
		}
	}
	return height
}

// Height returns the number of rows of View.
func (m *Menu) Height() int {
	needed := m.neededHeight()
	if needed == 0 {
		return 0
	}
	return max(needed, min(m.tallest, m.maxRows))
}

// View draws the menu in a frame, or nothing if it does not fit.
func (m *Menu) View() []string {
	if m.Height() == 0 {
		return nil
	}
	inner, rows := m.width-4, m.visibleCount()
	out := []string{m.st.Dim.Apply(m.edge("┌", cmp.Or(m.title, m.rows[m.from].Group), "┐"))}
	columns := m.columns(inner)
	for i := m.from; i < m.from+rows; i++ {
		if i > m.from && m.rows[i].Group != m.rows[i-1].Group {
			out = append(out, m.st.Dim.Apply(m.edge("├", m.rows[i].Group, "┤")))
		}
		row := columns.row(m.rows[i])
		row += strings.Repeat(" ", max(inner-ansi.StringWidth(row), 0))
		edge, style := " ", markdown.Style("")
		if i == m.chosen {
			edge, style = m.st.Accent.Apply("›"), m.st.Accent
		}
		row = m.st.HighlightSpans(style, row, FindSpans(row, m.rows[i].MatchWords))
		out = append(out, m.st.Dim.Apply("│")+edge+row+" "+m.st.Dim.Apply("│"))
	}
	for len(out) < m.Height()-1 {
		out = append(out, m.st.Dim.Apply("│")+strings.Repeat(" ", inner+2)+m.st.Dim.Apply("│"))
	}
	more := ""
	if len(m.rows) > m.from+rows && m.width > 20 {
		more = "↓ more"
	}
	return append(out, m.st.Dim.Apply(m.edge("└", more, "┘")))
}

// edge draws the upper or lower line of the frame, with a label.
func (m *Menu) edge(left, label, right string) string {
	space := m.width - 2
	if label = FitLine(OneLine(label), space-4); label != "" {
		label = "─ " + label + " "
	}
	return left + label + strings.Repeat("─", max(space-ansi.StringWidth(label), 0)) + right
}

// menuColumns are the widths of the parts of a row. Zero means that the part is not shown.
type menuColumns struct{ width, label, hint, kind int }

// columns divides the width. Labels without a description get all of it; descriptions are at most
// ProseWidth from the left edge, so that they stay near their labels.
func (m *Menu) columns(width int) menuColumns {
	c := menuColumns{width: width, label: width}
	if width < NarrowWidth {
		return c
	}
	label, about := 0, false
	for _, r := range m.rows {
		label = max(label, ansi.StringWidth(r.Label))
		c.hint = max(c.hint, ansi.StringWidth(r.Hint))
		about = about || r.About != ""
		c.kind = max(c.kind, ansi.StringWidth(r.Kind))
	}
	if about || c.kind > 0 {
		width = min(width, ProseWidth)
		c.width, c.label = width, width
	}
	if c.kind > 0 {
		const usual = 7 // the width of "command", so that all lists are aligned
		c.kind = max(min(c.kind, 2*usual), usual)
	}
	if about {
		c.label = min(label, width/3)
	} else if c.kind > 0 {
		c.label = width - c.kind - 2
	}
	if c.hint = min(c.hint, width*3/10); width < HintWidth || !about {
		c.hint = 0
	}
	return c
}

// HintWidth is the width below which the hints of arguments are not shown.
const HintWidth = 74

// padLine fills a line with spaces.
func padLine(line string, width int) string {
	return line + strings.Repeat(" ", max(width-ansi.StringWidth(line), 0))
}

func (c menuColumns) row(r MenuRow) string {
	label := ClipAroundMatch(OneLine(r.Label), r.MatchWords, c.label)
	if c.label == c.width {
		return label
	}
	left := label + strings.Repeat(" ", max(c.label-ansi.StringWidth(label), 0)+2)
	space := c.width - c.label - 2
	if c.hint > 0 {
		left += padLine(FitLine(OneLine(r.Hint), c.hint), c.hint+2)
		space -= c.hint + 2
	}
	if c.kind > 0 {
		space -= c.kind + 2
	}
	left += FitLine(OneLine(r.About), space)
	if c.kind == 0 {
		return left
	}
	return left + strings.Repeat(" ", max(c.width-c.kind-ansi.StringWidth(left), 0)) + FitLine(OneLine(r.Kind), c.kind)
}
