package widget

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// SetSize sets the width of the form and its maximum height.
func (f *Form[T]) SetSize(width, height int) {
	f.width, f.height = width, max(height, 1)
	names := 0
	for _, e := range f.entries {
		names = max(names, ansi.StringWidth(e.name+e.star))
	}
	f.column = 2 + min(names, f.rowWidth()/3) + 2
	const roomy = 8
	rows := 1
	if f.height >= roomy {
		rows = 3
	}
	f.current().setSize(max(f.valueWidth()-f.hintSpace(f.current()), 1), rows)
}

// View draws the title, a row for each field, and the keys. A small screen drops what it needs
// least: the note, then the rule, the keys, the title.
func (f *Form[T]) View() []string {
	lines, _ := f.drawLines()
	return lines
}

// Cursor returns the cursor in the current value, for a View of that many lines. There is none
// while the values are being checked.
func (f *Form[T]) Cursor() (c *tea.Cursor, lines int) {
	if f.filling {
		return nil, 0
	}
	e := f.current()
	if c = e.editor.Cursor(); c == nil {
		return nil, 0
	}
	if e.Secret {
		c.X, c.Y = len(e.masked()), 0
	}
	drawn, row := f.drawLines()
	c.X += f.column
	c.Y += row
	return c, len(drawn)
}

// drawLines gives the lines and the one where the current entry begins.
func (f *Form[T]) drawLines() (lines []string, at int) {
	head, foot := f.head(), f.foot()
	var body []string
	top, end := 0, 0
	for i, e := range f.entries {
		if i == f.currentIndex {
			top = len(body)
		}
		body = append(body, f.rows(e)...)
		if i == f.currentIndex {
			end = len(body)
		}
	}
	space := max(f.height-len(head)-len(foot), 1)
	from := min(max(end-space, 0), top)
	body = body[from:min(from+space, len(body))]
	return slices.Concat(head, body, foot), len(head) + top - from
}

func (f *Form[T]) head() []string {
	var out []string
	if f.height >= 2 {
		place := fmt.Sprintf("%d of %d", f.currentIndex+1, len(f.entries))
		out = append(out, JustifyLine(f.st.Strong.Apply(OneLine(f.request.Title)), f.st.Dim.Apply(place), f.rowWidth()))
	}
	if f.height >= 6 {
		out = append(out, f.st.Dim.Apply(strings.Repeat("─", f.width)))
	}
	return out
}

func (f *Form[T]) foot() []string {
	var out []string
	// The note has its line even where it is empty, so that nothing jumps as
	// the fields are gone through.
	if f.height >= 7 && slices.ContainsFunc(f.entries, func(e *formEntry) bool { return f.currentNote(e) != "" }) {
		out = append(out, f.st.Dim.Apply(FitLine("  "+f.currentNote(f.current()), f.width)))
	}
	if f.height >= 3 {
		keys := f.keyLine()
		left := strings.Repeat(" ", max(f.rowWidth()-ansi.StringWidth(keys), 0))
		out = append(out, f.st.Dim.Apply(FitLine(left+keys, f.width)))
	}
	return out
}

// currentNote is the note about the current entry, shown below all entries: its description, or
// its hint if the rows have no space for one.
func (f *Form[T]) currentNote(e *formEntry) string {
	if f.width < NarrowWidth && e.hint != "" {
		return e.hint
	}
	return e.about
}

func (f *Form[T]) keyLine() string {
	const gap = " · "
	cancel := ActionHint{"form-cancel", "cancel"}
	if f.request.OnCancel != nil {
		cancel.Text = "leave"
	}
	enter, verb := ActionHint{"form-enter", "next"}, f.request.Verb
	switch {
	case f.filling:
		return strings.TrimSuffix("checking"+gap+f.keys.Hints("", gap, cancel), gap)
	case f.last():
		enter.Text = verb
		return f.keys.Hints("", gap, enter, cancel)
	}
	if best := "ctrl+enter"; f.st.CtrlEnter && slices.Contains(f.keys.Keys("form-run"), best) {
		line := strings.Join(slices.DeleteFunc([]string{
			f.keys.Hints("", gap, enter), KeyLabel(best) + " " + verb, f.keys.Hints("", gap, cancel),
		}, func(s string) bool { return s == "" }), gap)
		if ansi.StringWidth(line) <= f.width {
			return line
		}
	}
	return f.keys.Hints("", gap, enter, ActionHint{"form-run", verb}, cancel)
}

// rowWidth is the width of a row: on a wide screen hints stay near what they are about.
func (f *Form[T]) rowWidth() int { return min(f.width, ProseWidth) }

// valueWidth is the width of a row behind its name.
func (f *Form[T]) valueWidth() int { return max(f.rowWidth()-f.column, 1) }

// hintSpace is what the hint takes of a row, with the gap before it.
func (f *Form[T]) hintSpace(e *formEntry) int {
	const gap = 2
	hint := ansi.StringWidth(e.hint)
	if hint == 0 || f.width < NarrowWidth {
		return 0
	}
	return min(hint+gap, f.valueWidth()/2)
}

// rows draws an entry: the current one as it is being edited, and a problem
// below its value.
func (f *Form[T]) rows(e *formEntry) []string {
	space := f.hintSpace(e)
	width := max(f.valueWidth()-space, 1)
	values, mark := []string{e.preview()}, "  "
	if e == f.current() {
		values, mark = e.view(), f.st.Accent.Apply("›")+" "
	}
	names := f.column - 4
	label := FitLine(FitLine(e.name, names-len(e.star))+e.star, names)
	prefix := mark + label + strings.Repeat(" ", names-ansi.StringWidth(label)+2)
	var out []string
	for i, value := range values {
		value = FitLine(value, width)
		if i > 0 {
			prefix = strings.Repeat(" ", f.column)
		} else if space > 0 {
			hint := FitLine(e.hint, space-2)
			gap := f.valueWidth() - ansi.StringWidth(value) - ansi.StringWidth(hint)
			value += strings.Repeat(" ", max(gap, 0)) + f.st.Dim.Apply(hint)
		}
		out = append(out, FitLine(prefix+value, f.width))
	}
	return append(out, f.problem(e)...)
}

func (f *Form[T]) problem(e *formEntry) []string {
	const most, indent = 2, "    "
	if e.Problem == "" {
		return nil
	}
	rows := WrapText("! "+OneLine(e.Problem), f.rowWidth()-len(indent))
	if len(rows) > most {
		rows = append(rows[:most-1], FitLine(strings.Join(rows[most-1:], " "), f.rowWidth()-len(indent)))
	}
	for i, row := range rows {
		rows[i] = FitLine(indent+f.st.Bad.Apply(row), f.width)
	}
	return rows
}
