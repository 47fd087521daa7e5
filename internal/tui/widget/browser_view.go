package widget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// minRuleHeight is the minimum height for rules between the parts.
const minRuleHeight = 10

// View returns as many lines as the height, none wider than the width. A small screen drops the
// rules first, then the keys, then the title.
func (b *Browser) View() []string {
	if b.width < 1 || b.height < 1 {
		return nil
	}
	out := slices.Concat(b.head(), b.body(b.bodyHeight()), b.foot())
	out = out[:min(len(out), b.height)]
	for i, line := range out {
		out[i] = FitLine(line, b.width)
	}
	return out
}

// Cursor returns the cursor in the filter while it is being typed.
func (b *Browser) Cursor() (x, y int, ok bool) {
	if !b.filtering || b.showsOverview() || len(b.head()) == 0 {
		return 0, 0, false
	}
	before := ansi.StringWidth(b.label()) + ansi.StringWidth(b.list.filter)
	return min(before, b.width-1), 0, true
}

func (b *Browser) bodyHeight() int { return max(b.height-len(b.head())-len(b.foot()), 0) }

func (b *Browser) rule() string { return b.st.Dim.Apply(strings.Repeat("─", b.width)) }

func (b *Browser) head() []string {
	if b.height < 3 {
		return nil
	}
	left := b.st.Strong.Apply(b.title)
	if !b.showsOverview() && (b.filtering || b.list.filter != "") {
		left = b.st.Strong.Apply(b.title) + "  " + b.st.Accent.Apply("/") + b.list.filter
	}
	right := b.count()
	if b.activity != "" {
		right = b.activity + "  " + right
	}
	out := []string{JustifyLine(left, b.st.Dim.Apply(strings.TrimSpace(right)), b.width)}
	if b.height >= minRuleHeight {
		out = append(out, b.rule())
	}
	return out
}

// label returns the text before the filter.
func (b *Browser) label() string { return b.title + "  /" }

// count returns the position of the cursor and the number of rows.
func (b *Browser) count() string {
	if len(b.list.rowLines) == 0 || b.showsOverview() {
		return ""
	}
	return fmt.Sprintf("%d of %d", b.list.cursor+1, len(b.list.rowLines))
}

// foot draws the message and the keys.
func (b *Browser) foot() []string {
	var out []string
	if b.showsOverview() {
		return b.messageLines() // the overview names its keys
	}
	if b.height >= minRuleHeight {
		out = append(out, b.rule())
	}
	out = append(out, b.messageLines()...)
	if !b.docked && b.height >= 2 {
		out = append(out, b.keyLine())
	}
	return out
}

func (b *Browser) messageLines() []string {
	const most = 3
	if b.message == "" {
		return nil
	}
	style, text := b.st.Accent, b.message
	if b.failed {
		style, text = b.st.Bad, "✗ "+b.message
	}
	rows := WrapText(text, b.width)
	if space := min(most, max(b.height/3, 1)); len(rows) > space {
		rows = append(rows[:space-1], strings.Join(rows[space-1:], " "))
	}
	for i, row := range rows {
		rows[i] = style.Apply(FitLine(row, b.width))
	}
	return rows
}

// keyLine returns the keys of as many actions as fit, and the key that shows all keys.
func (b *Browser) keyLine() string {
	const gap, more = "  ", "…"
	hints, last := b.hints, []ActionHint{{"screen-keys", "keys"}}
	if b.filtering {
		// Letters are typed into the filter, so hide the actions that have only a letter.
		hints = slices.DeleteFunc(slices.Clone(hints), func(h KeyHint) bool { return ansi.StringWidth(h.Key) < 2 })
		last = []ActionHint{{"screen-back", "clear"}}
	} else if b.paneFocused {
		last = []ActionHint{{"screen-back", "back"}, {"screen-keys", "keys"}}
	}
	end := b.keys.Hints(b.st.Accent, gap, last...)
	available := b.width - ansi.StringWidth(end) - len(gap) - len(gap) - 1
	line, used := "", 0
	for _, h := range hints {
		if h.Key == "" {
			continue
		}
		key, name := OneLine(h.Key), OneLine(h.Name)
		hintWidth := ansi.StringWidth(key) + 1 + ansi.StringWidth(name)
		if used+hintWidth > available {
			line += more
			break
		}
		line += b.st.Accent.Apply(key) + " " + name + gap
		used += hintWidth + len(gap)
	}
	left := strings.TrimRight(line, " ")
	return left + strings.Repeat(" ", max(b.width-ansi.StringWidth(left)-ansi.StringWidth(end), 0)) + end
}

// body draws the list and the pane, side by side if both fit.
func (b *Browser) body(height int) []string {
	if b.showsOverview() {
		return padLines(b.overview(b.st, b.width, height), height)
	}
	listWidth, paneWidth := b.columns()
	if len(b.list.rowLines) == 0 && b.pane.front == nil {
		return padLines([]string{FitLine(b.st.Dim.Apply(b.emptyText()), b.width)}, height)
	}
	left, right := b.drawList(listWidth, height), b.drawPane(paneWidth, height)
	switch {
	case paneWidth == 0:
		return left
	case listWidth == 0:
		return right
	}
	bar := b.st.Dim.Apply(" │ ")
	for i, row := range left {
		left[i] = row + strings.Repeat(" ", max(listWidth-ansi.StringWidth(row), 0)) + bar + right[i]
	}
	return left
}

// emptyText is shown instead of a list without rows.
func (b *Browser) emptyText() string {
	switch {
	case !b.list.loaded:
		return "Loading…"
	case len(b.list.rows) > 0:
		if label := b.keys.Label("screen-back"); label != "" {
			return "No matches. " + label + " clears the filter."
		}
		return "No matches."
	default:
		return b.empty
	}
}

// padLines pads or cuts lines to exactly height.
func padLines(lines []string, height int) []string {
	out := make([]string, height)
	copy(out, lines)
	return out
}

func (b *Browser) drawList(width, height int) []string {
	lines, from := b.list.visible(height)
	out := make([]string, 0, height)
	for i, l := range lines {
		if l.row < 0 {
			out = append(out, b.st.Strong.Apply(FitLine(l.heading, width)))
			continue
		}
		current := from+i == b.list.rowLines[b.list.cursor]
		out = append(out, b.drawRow(b.list.rows[l.row], current, width))
	}
	return padLines(out, height)
}

// cursorMarker returns the mark of the row at the cursor: an arrow with the focus, else a dot.
func (b *Browser) cursorMarker(focused bool) string {
	if focused {
		return b.st.Accent.Apply("›") + " "
	}
	return b.st.Dim.Apply("·") + " "
}

func (b *Browser) drawRow(r filterRow, current bool, width int) string {
	sign := "  "
	if current {
		sign = b.cursorMarker(!b.paneFocused)
	}
	const narrow, indent = 50, 2
	nameWidth := max(width-indent, 1)
	about := ""
	if r.FullText != "" && !b.wide() {
		r.Title = r.FullText
	} else if width >= narrow {
		nameWidth = width * 2 / 5
		about = "  " + b.st.Dim.Apply(FitLine(r.About, width-nameWidth-indent-2))
	}
	return sign + b.nameAndMarks(r, current, nameWidth) + about
}

// nameAndMarks draws the name and the marks of a row in exactly width columns. The marks get the
// columns that the name does not need, but at least a third.
func (b *Browser) nameAndMarks(r filterRow, current bool, width int) string {
	label, warned := r.Title, ""
	if r.Problem {
		warned, width = b.st.Warn.Apply("!")+" ", width-2
	}
	marks := fitMarks(r.Marks, max(width-ansi.StringWidth(label)-2, width/3))
	space := width
	if marks != "" {
		space -= ansi.StringWidth(marks) + 2
	}
	label = FitLine(label, space)
	gap := max(width-ansi.StringWidth(label)-ansi.StringWidth(marks), 0)
	if current {
		label = b.st.Accent.Apply(label)
	}
	return warned + label + strings.Repeat(" ", gap) + b.st.Dim.Apply(marks)
}

// fitMarks returns as many marks as fit. The first mark matters most: it is cut instead of dropped.
func fitMarks(marks []string, width int) string {
	for n := len(marks); n > 1; n-- {
		if all := strings.Join(marks[:n], ", "); ansi.StringWidth(all) <= width {
			return all
		}
	}
	if len(marks) == 0 {
		return ""
	}
	return FitLine(marks[0], width)
}

// drawPane draws the page under its name.
func (b *Browser) drawPane(width, height int) []string {
	if width < 1 {
		return nil
	}
	r, hasRow := b.list.current()
	title, subtitle := r.Title, b.pageSubtitle(r)
	if b.pane.front != nil {
		title, subtitle = b.pane.title, ""
	}
	head := []string{""}
	if subtitle != "" {
		head = []string{b.st.Dim.Apply(FitLine("  "+subtitle, width)), ""}
	}
	text := b.pageLines(width, hasRow)
	head = head[:max(min(len(head), height-4), 0)]
	rows := height - 1 - len(head)
	seen := b.pane.visible(text, rows)
	place := ""
	if len(seen) < len(text) {
		place = fmt.Sprintf("%d–%d of %d", b.pane.from+1, b.pane.from+len(seen), len(text))
	}
	name := b.cursorMarker(b.paneFocused) + b.st.Strong.Apply(title)
	out := append([]string{JustifyLine(name, b.st.Dim.Apply(place), width)}, head...)
	out = append(out, seen...)
	for i, line := range out {
		out[i] = FitLine(line, width)
	}
	return padLines(out, height)
}

// pageSubtitle returns the marks and the description, which the list may have cut.
func (b *Browser) pageSubtitle(r filterRow) string {
	parts := slices.DeleteFunc([]string{strings.Join(r.Marks, ", "), r.About}, func(s string) bool { return s == "" })
	return strings.Join(parts, " · ")
}

func (b *Browser) pageLines(width int, hasRow bool) []string {
	p := b.pane.page(hasRow)
	if p == nil {
		return nil
	}
	if p.err == nil {
		return p.lines
	}
	rows := WrapText("✗ "+OneLine(p.err.Error()), width)
	for i, row := range rows {
		rows[i] = b.st.Bad.Apply(row)
	}
	return rows
}
