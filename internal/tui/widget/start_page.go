package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// StartPage is the first page of a new session.
type StartPage struct {
	Intro string
	Rows  []StartRow
	State []StateLine
}

// StartRow is something to try: a question or a command.
type StartRow struct {
	Text  string
	Short string // instead of Text where that does not fit, unless empty
	Send  string // the message or command to send; default: Text
}

// Message returns what the row sends.
func (r StartRow) Message() string {
	if r.Send != "" {
		return r.Send
	}
	return r.Text
}

// StateLine is a fact about the program, with the command that changes it.
type StateLine struct {
	Label   string // "" for a warning
	Text    string
	Short   string // instead of Text where that does not fit, unless empty
	Command string
	Warn    bool
}

// SideBySideWidth is the width below which names get shorter and columns are put below each other.
const SideBySideWidth = 78

// Draw draws the page in at most height lines. selected is the index of the selected row, or -1. If
// there is not enough space, it drops the blank lines first, then the introduction, then the state from
// its end.
func (p StartPage) Draw(st *Styles, width, height, selected int) []string {
	var intro, rows, state []string
	if p.Intro != "" {
		intro = WrapProse(markdown.Sanitize(p.Intro), width)
	}
	for i, r := range p.Rows {
		text := fitting(r.Text, r.Short, width-2)
		if i == selected {
			rows = append(rows, FitLine(st.Accent.Apply("›")+" "+st.Strong.Apply(text), width))
		} else {
			rows = append(rows, FitLine("  "+text, width))
		}
	}
	for _, s := range p.State {
		state = append(state, s.draw(st, width)...)
	}
	if rest := height - len(rows); rest < len(intro)+len(state) {
		intro = nil
		state = state[:min(len(state), max(rest, 0))]
	}
	var out []string
	parts := [][]string{intro, rows, state}
	blanks := height - len(intro) - len(rows) - len(state)
	for i, part := range parts {
		if len(part) == 0 {
			continue
		}
		if len(out) > 0 && (blanks > 1 || blanks == 1 && i == len(parts)-1) {
			out = append(out, "")
			blanks--
		}
		out = append(out, part...)
	}
	return out
}

// fitting returns text, or short if text does not fit.
func fitting(text, short string, width int) string {
	text = OneLine(text)
	if short != "" && ansi.StringWidth(text) > width {
		return OneLine(short)
	}
	return text
}

func (s StateLine) draw(st *Styles, width int) []string {
	const labelWidth, gap = 12, 2
	command := OneLine(s.Command)
	if s.Label == "" {
		text := "! " + s.Text
		if command != "" {
			text += " " + command
		}
		rows := WrapProse(markdown.Sanitize(text), width-2)
		for i, row := range rows {
			indent := ""
			if i > 0 {
				indent = "  "
			}
			rows[i] = indent + st.Warn.Apply(row)
		}
		return rows
	}
	label := OneLine(s.Label)
	label += strings.Repeat(" ", max(labelWidth-ansi.StringWidth(label), 1))
	text := fitting(s.Text, s.Short, width-labelWidth-gap-ansi.StringWidth(command))
	if s.Warn {
		text = st.Warn.Apply("! " + text)
	}
	return []string{JustifyLine(st.Dim.Apply(label)+text, st.Accent.Apply(command), width)}
}
