package widget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// SetSize sets the width of the form and its maximum height.
func (f *Form[E]) SetSize(width, height int) {
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
func (f *Form[E]) View() []string {
	lines, _ := f.drawLines()
	return lines
}

// EditorPosition returns where the editor of the current entry begins in a View of that height:
// its column and line. There is none while the values are being checked.
func (f *Form[E]) EditorPosition() (x, y, height int, ok bool) {
	if f.filling {
		return 0, 0, 0, false
	}
	drawn, row := f.drawLines()
	return f.column, row, len(drawn), true
}

// drawLines gives the lines and the one where the current entry begins.
func (f *Form[E]) drawLines() (lines []string, at int) {
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

func (f *Form[E]) head() []string {
	var out []string
	if f.height >= 2 {
		place := fmt.Sprintf("%d of %d", f.currentIndex+1, len(f.entries))
		out = append(out, JustifyLine(f.st.Strong.Apply(OneLine(f.title)), f.st.Dim.Apply(place), f.rowWidth()))
	}
	if f.height >= 6 {
		out = append(out, f.st.Dim.Apply(strings.Repeat("─", f.width)))
	}
	return out
}

func (f *Form[E]) foot() []string {
	var out []string
	// The note has its line even where it is empty, so that nothing jumps as
	// the fields are gone through.
	if f.height >= 7 && slices.ContainsFunc(f.entries, func(e *formEntry[E]) bool { return f.currentNote(e) != "" }) {
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
func (f *Form[E]) currentNote(e *formEntry[E]) string {
	if f.width < NarrowWidth && e.hint != "" {
		return e.hint
	}
	return e.about
}

func (f *Form[E]) keyLine() string {
	cancel := [2]string{f.keys.Cancel, "cancel"}
	if f.escDiscards {
		cancel[1] = "leave"
	}
	if f.filling {
		return formKeyHints([2]string{"checking"}, cancel)
	}
	if f.last() {
		return formKeyHints([2]string{f.keys.Enter, f.verb}, cancel)
	}
	next := [2]string{f.keys.Enter, "next"}
	if line := formKeyHints(next, [2]string{f.keys.RunPreferred, f.verb}, cancel); f.keys.RunPreferred != "" && ansi.StringWidth(line) <= f.width {
		return line
	}
	return formKeyHints(next, [2]string{f.keys.Run, f.verb}, cancel)
}

// formKeyHints joins the keys that have a label, each with what it does.
func formKeyHints(keys ...[2]string) string {
	var parts []string
	for _, k := range keys {
		if k[0] != "" {
			parts = append(parts, strings.TrimSpace(k[0]+" "+k[1]))
		}
	}
	return strings.Join(parts, " · ")
}

// rowWidth is the width of a row: on a wide screen hints stay near what they are about.
func (f *Form[E]) rowWidth() int { return min(f.width, ProseWidth) }

// valueWidth is the width of a row behind its name.
func (f *Form[E]) valueWidth() int { return max(f.rowWidth()-f.column, 1) }

// hintSpace is what the hint takes of a row, with the gap before it.
func (f *Form[E]) hintSpace(e *formEntry[E]) int {
	const gap = 2
	hint := ansi.StringWidth(e.hint)
	if hint == 0 || f.width < NarrowWidth {
		return 0
	}
	return min(hint+gap, f.valueWidth()/2)
}

// rows draws an entry: the current one as it is being edited, and a problem
// below its value.
func (f *Form[E]) rows(e *formEntry[E]) []string {
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

func (f *Form[E]) problem(e *formEntry[E]) []string {
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
