package widget

import (
	"cmp"
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

// Cursor returns the cursor in the filter, if something was typed.
func (b *Browser) Cursor() (x, y int, ok bool) {
	if b.letterKeys || b.docked || b.pane.front != nil || b.showsOverview() || b.list.filter == "" || len(b.head()) == 0 {
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
	if !b.showsOverview() && b.list.filter != "" {
		left = b.st.Strong.Apply(b.title) + "  " + b.st.Accent.Apply("/") + b.list.filter
	}
	frame := b.currentFrame()
	right := frame.Right
	if right == "" {
		right = b.count()
	}
	if b.activity != "" {
		right = b.activity + "  " + right
	}
	out := []string{JustifyLine(left, b.st.Dim.Apply(strings.TrimSpace(right)), b.width)}
	if b.height >= minRuleHeight {
		out = append(out, b.rule())
	}
	if len(b.list.rows) > 0 || b.letterKeys {
		out = append(out, frame.Top[:min(len(frame.Top), max(b.height-6, 0))]...)
	}
	return out
}

// label returns the text before the filter.
func (b *Browser) label() string { return b.title + "  /" }

// count returns how many rows there are, and how to find one.
func (b *Browser) count() string {
	switch all := len(b.list.rows); {
	case b.showsOverview() || all == 0 || b.letterKeys:
		return ""
	case b.list.filter != "":
		return fmt.Sprintf("%d of %d", b.list.count(), all)
	default:
		return fmt.Sprintf("type to filter · %d", all)
	}
}

// foot draws the message and the keys.
func (b *Browser) foot() []string {
	var out []string
	if b.showsOverview() {
		return b.messageLines() // the overview names its keys
	}
	if end := b.currentFrame().End; b.height >= minRuleHeight && len(b.list.rows) > 0 {
		for _, line := range end {
			out = append(out, b.st.Dim.Apply(FitLine(line, b.width)))
		}
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

// keyLine returns the keys that fit: the actions of the item, their menu, and the key that closes.
func (b *Browser) keyLine() string {
	const gap = "   "
	back := cmp.Or(b.step, "close")
	switch {
	case b.paneOpen:
		back = "back"
	case b.list.filter != "":
		back = "clear"
	}
	end := b.keys.Hints(b.st.Accent, gap, ActionHint{"screen-back", back})
	var parts []string
	width := ansi.StringWidth(end)
	add := func(part string) {
		if w := ansi.StringWidth(part) + len(gap); part != "" && width+w <= b.width {
			parts = append(parts, part)
			width += w
		}
	}
	switch {
	case b.pane.front != nil:
	case b.OnFolded():
		add(b.keys.Hints(b.st.Accent, "", ActionHint{"screen-enter", "expand"}))
	default:
		keys := ""
		for i, h := range b.hints {
			if h.Key == "" {
				continue
			}
			keys += OneLine(h.Key) + " "
			if i+1 < len(b.hints) && b.hints[i+1].Name == h.Name {
				continue // one name for keys next to each other: "1 5 m period"
			}
			add(b.st.Accent.Apply(strings.TrimSpace(keys)) + " " + OneLine(h.Name))
			keys = ""
		}
		if b.actions != "" && !b.paneOpen {
			used := width + len(gap)
			menu := b.keys.Hints(b.st.Accent, "", ActionHint{"screen-actions", "actions"})
			add(FitLine(menu+": "+b.actions, max(b.width-used, ansi.StringWidth(menu))))
		}
		if !b.paneOpen && !b.letterKeys && b.step == "" {
			add(b.keys.Hints(b.st.Accent, "", ActionHint{"screen-detail", "details"}))
		}
	}
	return strings.Join(append(parts, end), gap)
}

// body draws the list and the pane, side by side if both fit.
func (b *Browser) body(height int) []string {
	if b.showsOverview() {
		return padLines(b.overview(b.st, b.width, height), height)
	}
	listWidth, paneWidth := b.columns()
	if len(b.list.rowLines) == 0 && b.pane.front == nil {
		return padLines([]string{b.st.Dim.Apply(FitLine(b.emptyText(), b.width))}, height)
	}
	left := b.drawList(listWidth, height)
	if head := b.headLine(listWidth); head != "" && height > 1 {
		left = append([]string{head}, b.drawList(listWidth, height-1)...)
	}
	right := b.drawPane(paneWidth, height)
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

// emptyText returns the text that is shown instead of a list without rows.
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
	layout := b.columnLayout(width)
	out := make([]string, 0, height)
	for i, l := range lines {
		current := from+i == b.list.rowLines[b.list.cursor]
		switch {
		case l.row >= 0 && layout != nil:
			out = append(out, b.drawColumns(b.list.rows[l.row], layout, current, width))
		case l.row >= 0:
			out = append(out, b.drawRow(b.list.rows[l.row], current, width))
		case l.hidden > 0:
			out = append(out, b.drawFolded(l, current, width))
		default:
			out = append(out, b.st.Strong.Apply(FitLine(l.heading, width)))
		}
	}
	return padLines(out, height)
}

// drawFolded draws the heading of a folded group with the number of its rows.
func (b *Browser) drawFolded(l listLine, current bool, width int) string {
	mark := "  "
	hint := ""
	if current {
		mark, hint = b.cursorMarker(true), b.keys.Hints("", "", ActionHint{"screen-enter", "expands"})
	}
	line := mark + b.st.Strong.Apply(fmt.Sprintf("%s (%d)", l.heading, l.hidden))
	if space := width - ansi.StringWidth(line) - ansi.StringWidth(hint) - 4; b.names && space > 0 {
		line += "  " + b.st.Dim.Apply(FitLine(strings.Join(b.list.titles(l.heading), ", "), space))
	}
	return JustifyLine(line, b.st.Dim.Apply(hint), width)
}

// columnLayout returns the widths of the title and of the columns that fit, or nil if no shown item has columns.
// The heads are part of the columns.
func (b *Browser) columnLayout(width int) []int {
	heads := b.currentFrame().Heads
	var widths []int
	grow := func(i int, text string) {
		for len(widths) <= i {
			widths = append(widths, 0)
		}
		widths[i] = max(widths[i], ansi.StringWidth(text))
	}
	for _, l := range b.list.lines {
		if l.row < 0 || len(b.list.rows[l.row].Columns) == 0 {
			continue
		}
		r := b.list.rows[l.row]
		grow(0, r.Title)
		for i, text := range r.Columns {
			grow(i+1, text)
		}
	}
	if len(widths) == 0 {
		return nil
	}
	for i, head := range heads {
		grow(i, head)
	}
	const indent, gap, minTitle = 2, 2, 12
	left := width - indent
	shown := 1
	left -= min(widths[0], max(width*2/5, minTitle))
	if b.step != "" && len(widths) == 3 {
		// The state at the end matters more than the whole text before it.
		widths[1] = max(min(widths[1], left-2*gap-widths[2]), 0)
	}
	for shown < len(widths) && left >= gap+widths[shown] {
		left -= gap + widths[shown]
		shown++
	}
	widths[0] = min(widths[0], max(width*2/5, minTitle))
	if frame := b.currentFrame(); len(heads) == 0 && len(frame.Numeric) == 0 {
		// One column gets what is left, so that the last one ends at the right edge.
		widest := 0
		if b.step != "" && shown > 1 {
			widest = 1
		}
		widths[widest] = max(widths[widest]+left, 1)
	}
	return widths[:shown]
}

// drawColumns draws a row with its columns: aligned to the right below heads, otherwise to the left.
func (b *Browser) drawColumns(r filterRow, widths []int, current bool, width int) string {
	frame := b.currentFrame()
	numeric := func(column int) bool {
		return len(frame.Heads) > 0 && column > 0 || column < len(frame.Numeric) && frame.Numeric[column]
	}
	title := FitLine(r.Title, widths[0])
	space := strings.Repeat(" ", max(widths[0]-ansi.StringWidth(title), 0))
	line := "  "
	if current {
		line, title = b.cursorMarker(true), b.st.Accent.Apply(title)
	}
	if numeric(0) {
		line += space + title
	} else {
		line += title + space
	}
	for i, w := range widths[1:] {
		text := ""
		if i < len(r.Columns) {
			text = FitLine(r.Columns[i], w)
		}
		space := strings.Repeat(" ", max(w-ansi.StringWidth(text), 0))
		if numeric(i + 1) {
			line += "  " + space + b.signed(text)
		} else {
			line += "  " + b.st.Dim.Apply(text) + space
		}
	}
	return FitLine(strings.TrimRight(line, " "), width)
}

// signed colors a number by its sign.
func (b *Browser) signed(text string) string {
	switch {
	case strings.HasPrefix(text, "+"):
		return b.st.Good.Apply(text)
	case strings.HasPrefix(text, "-") && len(text) > 1:
		return b.st.Bad.Apply(text)
	}
	return text
}

// headLine draws the heads of the columns.
func (b *Browser) headLine(width int) string {
	heads := b.currentFrame().Heads
	layout := b.columnLayout(width)
	if len(heads) == 0 || layout == nil {
		return ""
	}
	line := "  " + heads[0] + strings.Repeat(" ", max(layout[0]-ansi.StringWidth(heads[0]), 0))
	for i, w := range layout[1:] {
		if i+1 < len(heads) {
			line += "  " + strings.Repeat(" ", max(w-ansi.StringWidth(heads[i+1]), 0)) + heads[i+1]
		}
	}
	return b.st.Dim.Apply(FitLine(line, width))
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
		sign = b.cursorMarker(true)
	}
	const narrow, indent = 50, 2
	nameWidth := max(width-indent, 1)
	about := ""
	if r.FullText != "" && (!b.wide() || !b.paneOpen) {
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
	name := b.cursorMarker(b.scrollsPane()) + b.st.Strong.Apply(title)
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
