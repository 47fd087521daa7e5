package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// block is one thing in the transcript. A block draws itself to lines of at
// most width columns and keeps them until it, the width or the theme changes,
// so that a frame costs what it shows and not what was said before.
type block interface {
	lines(st *styles, width int) []string
	// compact blocks stand together without blank lines between them.
	compact() bool
}

// foldable is a block that has more to show than it does at first.
type foldable interface {
	block
	setOpen(open bool)
	isOpen() bool
}

// memo keeps the lines of a block.
type memo struct {
	st    *styles
	width int
	rows  []string
}

func (m *memo) get(st *styles, width int, draw func(*styles, int) []string) []string {
	if m.rows == nil || m.st != st || m.width != width {
		m.st, m.width, m.rows = st, width, draw(st, width)
	}
	return m.rows
}

// forget is called by a block that has changed.
func (m *memo) forget() { m.rows = nil }

// said is what the user sent.
type said struct {
	memo
	text string
}

func (b *said) compact() bool { return false }

func (b *said) lines(st *styles, width int) []string { return b.get(st, width, b.draw) }

func (b *said) draw(st *styles, width int) []string {
	rows := wrap(markdown.Sanitize(b.text), width-2)
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = st.accent.Apply(">") + " "
		}
		rows[i] = mark + st.strong.Apply(row)
	}
	return rows
}

// shown is Markdown from the program itself: the help, the answer of a command.
type shown struct {
	memo
	text string
}

func (b *shown) compact() bool { return false }

func (b *shown) lines(st *styles, width int) []string { return b.get(st, width, b.draw) }

func (b *shown) draw(st *styles, width int) []string {
	return markdown.Render(b.text, st.options(width))
}

// Marks of a notice: readable without colour.
const (
	markInfo    = "~"
	markWarning = "!"
	markError   = "✗"
)

// notice is a line the program says about the conversation.
type notice struct {
	memo
	mark, text string
}

func (b *notice) compact() bool { return false }

func (b *notice) lines(st *styles, width int) []string { return b.get(st, width, b.draw) }

func (b *notice) draw(st *styles, width int) []string {
	style := st.dim
	switch b.mark {
	case markWarning:
		style = st.warn
	case markError:
		style = st.bad
	}
	rows := wrap(markdown.Sanitize(b.text), width-2)
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = style.Apply(b.mark) + " "
		}
		if b.mark == markInfo {
			row = style.Apply(row)
		}
		rows[i] = mark + row
	}
	return rows
}

// welcome is what an empty chat shows.
type welcome struct {
	memo
	banner Banner
}

func (b *welcome) compact() bool { return false }

func (b *welcome) lines(st *styles, width int) []string { return b.get(st, width, b.draw) }

func (b *welcome) draw(st *styles, width int) []string {
	var rows []string
	if b.banner.Notice != "" {
		rows = wrap(markdown.Sanitize(b.banner.Notice), width)
	}
	if len(b.banner.Try) == 0 {
		return rows
	}
	const label = "Try   "
	rows = append(rows, "")
	mark := st.dim.Apply(label)
	for _, line := range b.banner.Try {
		for _, row := range suggestion(line, width-len(label)) {
			rows = append(rows, mark+row)
			mark = strings.Repeat(" ", len(label))
		}
	}
	return rows
}

// suggestion keeps the spaces between several suggestions on a line, while they
// fit on one.
func suggestion(line string, width int) []string {
	line = markdown.SanitizeLine(line)
	if ansi.StringWidth(line) > width {
		line = oneLine(line)
	}
	return wrap(line, width)
}
