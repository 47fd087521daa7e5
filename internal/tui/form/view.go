package form

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// SetSize gives the form its width and the most lines it may take.
func (f *Form[E]) SetSize(width, height int) {
	f.width, f.height = width, max(height, 1)
	names := 0
	for _, e := range f.entries {
		names = max(names, ansi.StringWidth(e.name+e.star))
	}
	f.column = 2 + min(names, f.measure()/3) + 2
	const roomy = 8
	rows := 1
	if f.height >= roomy {
		rows = 3
	}
	f.current().setSize(max(f.room()-f.hintSpace(f.current()), 1), rows)
}

// View draws the title, a row for each field, and the keys. What a small screen
// gives up first is what it needs least: the note, the rule, the keys, the title.
func (f *Form[E]) View() []string {
	lines, _ := f.draw()
	return lines
}

// Place is where the editor that has the keyboard begins: so many columns and
// lines into a View of that height. While the values stand still there is none.
func (f *Form[E]) Place() (x, y, height int, ok bool) {
	if f.filling {
		return 0, 0, 0, false
	}
	drawn, row := f.draw()
	return f.column, row, len(drawn), true
}

// draw gives the lines and the one where the current entry begins.
func (f *Form[E]) draw() (lines []string, at int) {
	head, foot := f.head(), f.foot()
	var body []string
	top, end := 0, 0
	for i, e := range f.entries {
		if i == f.at {
			top = len(body)
		}
		body = append(body, f.rows(e)...)
		if i == f.at {
			end = len(body)
		}
	}
	room := max(f.height-len(head)-len(foot), 1)
	from := min(max(end-room, 0), top)
	body = body[from:min(from+room, len(body))]
	return slices.Concat(head, body, foot), len(head) + top - from
}

func (f *Form[E]) head() []string {
	var out []string
	if f.height >= 2 {
		place := fmt.Sprintf("%d of %d", f.at+1, len(f.entries))
		out = append(out, draw.Spread(f.st.Strong.Apply(draw.OneLine(f.title)), f.st.Dim.Apply(place), f.measure()))
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
	if f.height >= 7 && slices.ContainsFunc(f.entries, func(e *entry[E]) bool { return f.note(e) != "" }) {
		out = append(out, f.st.Dim.Apply(draw.Fit("  "+f.note(f.current()), f.width)))
	}
	if f.height >= 3 {
		keys := f.keyLine()
		left := strings.Repeat(" ", max(f.measure()-ansi.StringWidth(keys), 0))
		out = append(out, f.st.Dim.Apply(draw.Fit(left+keys, f.width)))
	}
	return out
}

// note is what is said of the current entry below all of them: what it is for,
// or its hint where the rows have no room for one.
func (f *Form[E]) note(e *entry[E]) string {
	if f.width < draw.Narrow && e.hint != "" {
		return e.hint
	}
	return e.about
}

func (f *Form[E]) keyLine() string {
	cancel := [2]string{f.keys.Cancel, "cancel"}
	if f.leaving {
		cancel[1] = "leave"
	}
	if f.filling {
		return named([2]string{"checking"}, cancel)
	}
	if f.last() {
		return named([2]string{f.keys.Enter, f.verb}, cancel)
	}
	next := [2]string{f.keys.Enter, "next"}
	if line := named(next, [2]string{f.keys.Better, f.verb}, cancel); f.keys.Better != "" && ansi.StringWidth(line) <= f.width {
		return line
	}
	return named(next, [2]string{f.keys.Run, f.verb}, cancel)
}

// named is a line of keys, each with what it does, without those that there are not.
func named(keys ...[2]string) string {
	var parts []string
	for _, k := range keys {
		if k[0] != "" {
			parts = append(parts, strings.TrimSpace(k[0]+" "+k[1]))
		}
	}
	return strings.Join(parts, " · ")
}

// measure is the width of a row: on a wide screen hints stay near what they are about.
func (f *Form[E]) measure() int { return min(f.width, draw.Measure) }

// room is the width of a row behind its name.
func (f *Form[E]) room() int { return max(f.measure()-f.column, 1) }

// hintSpace is what the hint takes of a row, with the gap before it.
func (f *Form[E]) hintSpace(e *entry[E]) int {
	const gap = 2
	hint := ansi.StringWidth(e.hint)
	if hint == 0 || f.width < draw.Narrow {
		return 0
	}
	return min(hint+gap, f.room()/2)
}

// rows draws an entry: the current one as it is being edited, and a problem
// below its value.
func (f *Form[E]) rows(e *entry[E]) []string {
	space := f.hintSpace(e)
	width := max(f.room()-space, 1)
	values, mark := []string{e.shown()}, "  "
	if e == f.current() {
		values, mark = e.view(), f.st.Accent.Apply("›")+" "
	}
	names := f.column - 4
	label := draw.Fit(draw.Fit(e.name, names-len(e.star))+e.star, names)
	prefix := mark + label + strings.Repeat(" ", names-ansi.StringWidth(label)+2)
	var out []string
	for i, value := range values {
		value = draw.Fit(value, width)
		if i > 0 {
			prefix = strings.Repeat(" ", f.column)
		} else if space > 0 {
			hint := draw.Fit(e.hint, space-2)
			gap := f.room() - ansi.StringWidth(value) - ansi.StringWidth(hint)
			value += strings.Repeat(" ", max(gap, 0)) + f.st.Dim.Apply(hint)
		}
		out = append(out, draw.Fit(prefix+value, f.width))
	}
	return append(out, f.problem(e)...)
}

func (f *Form[E]) problem(e *entry[E]) []string {
	const most, indent = 2, "    "
	if e.Problem == "" {
		return nil
	}
	rows := draw.Wrap("! "+draw.OneLine(e.Problem), f.measure()-len(indent))
	if len(rows) > most {
		rows = append(rows[:most-1], draw.Fit(strings.Join(rows[most-1:], " "), f.measure()-len(indent)))
	}
	for i, row := range rows {
		rows[i] = draw.Fit(indent+f.st.Bad.Apply(row), f.width)
	}
	return rows
}
