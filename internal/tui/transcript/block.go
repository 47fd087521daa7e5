package transcript

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// block is one thing in the transcript. A block draws itself to lines of at
// most width columns and keeps them until it, the width or the theme changes,
// so that a frame costs what it shows and not what was said before.
type block interface {
	lines(st *widget.Styles, width int) []string
	// compact blocks stand together without blank lines between them.
	compact() bool
	// source returns the text that the block shows, for copying and searching. It is outside text,
	// and "" if there is nothing to copy.
	source() string
}

// foldable is a block that has more to show than it does at first.
type foldable interface {
	block
	setOpen(open bool)
	isOpen() bool
}

// lineCache keeps the lines of a block.
type lineCache struct {
	theme int
	width int
	rows  []string
}

func (m *lineCache) get(st *widget.Styles, width int, paint func(*widget.Styles, int) []string) []string {
	if m.rows == nil || m.theme != st.Version() || m.width != width {
		m.theme, m.width, m.rows = st.Version(), width, paint(st, width)
	}
	return m.rows
}

// invalidate is called by a block that has changed.
func (m *lineCache) invalidate() { m.rows = nil }

// userMessage is what the user sent.
type userMessage struct {
	lineCache
	text string
}

func (b *userMessage) compact() bool  { return false }
func (b *userMessage) source() string { return b.text }

func (b *userMessage) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *userMessage) draw(st *widget.Styles, width int) []string {
	rows := widget.WrapProse(markdown.Sanitize(b.text), width-2)
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = st.Accent.Apply(">") + " "
		}
		rows[i] = mark + st.Strong.Apply(row)
	}
	return rows
}

// programOutput is Markdown from the program itself: the help, the answer of a command.
type programOutput struct {
	lineCache
	pannableMarkdown
	text  string
	chart *chart.Spec // above it, or nil
}

func (b *programOutput) compact() bool  { return false }
func (b *programOutput) source() string { return b.text }

func (b *programOutput) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *programOutput) draw(st *widget.Styles, width int) []string {
	rows := chartLines(st, b.chart, width)
	return append(rows, b.render(b.text, st, width)...)
}

// welcome is what an empty chat shows.
type welcome struct {
	lineCache
	notice string
	try    []string // things to type, one line each
}

func (b *welcome) compact() bool  { return false }
func (b *welcome) source() string { return "" }

func (b *welcome) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *welcome) draw(st *widget.Styles, width int) []string {
	var rows []string
	if b.notice != "" {
		rows = widget.WrapProse(markdown.Sanitize(b.notice), width)
	}
	if len(b.try) == 0 {
		return rows
	}
	const label = "Try   "
	rows = append(rows, "")
	mark := st.Dim.Apply(label)
	for _, line := range b.try {
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
		line = widget.OneLine(line)
	}
	return widget.WrapText(line, width)
}
