package transcript

import (
	"cmp"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// cardState is the state of a tool call.
type cardState int

const (
	cardRunning cardState = iota
	cardDone
	cardFailed
	cardInterrupted
)

// card is a tool call: one line, and the result for people when it is expanded.
type card struct {
	lineCache
	pannableMarkdown
	name      string
	step      string // the workflow step that made the call, or ""
	arguments string // as the model wrote them; shown while title is empty
	title     string
	summary   string
	forUser   string
	chart     *chart.Spec // or nil
	failure   string
	skill     string // the skill that the call loaded, or ""
	took      time.Duration
	state     cardState
	open      bool
}

func (b *card) compact() bool { return true }
func (b *card) isOpen() bool  { return b.open }

// source implements block.
func (b *card) source() string {
	if b.failure != "" {
		return b.failure
	}
	return cmp.Or(b.forUser, strings.TrimSpace(b.name+"  "+cmp.Or(b.title, b.arguments)), b.skill)
}

func (b *card) setOpen(open bool) {
	b.open = open
	b.invalidate()
}

// change changes the card and invalidates its lines.
func (b *card) change(f func(*card)) {
	f(b)
	b.invalidate()
}

func (b *card) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *card) draw(st *widget.Styles, width int) []string {
	if b.step != "" {
		return b.drawStep(st, width)
	}
	return b.drawCall(st, width)
}

const (
	stepIndent = "  "
	cardFrame  = 4 // columns of the line at the left of an expanded card
)

// drawStep indents the card of a step below its workflow.
func (b *card) drawStep(st *widget.Styles, width int) []string {
	rows := b.drawCall(st, max(width-len(stepIndent), 1))
	for i, row := range rows {
		rows[i] = stepIndent + row
	}
	return rows
}

func (b *card) drawCall(st *widget.Styles, width int) []string {
	rows := []string{b.head(st, width)}
	if b.state == cardFailed {
		rows = append(rows, b.failureLines(st, width)...)
	}
	if !b.open {
		return rows
	}
	for _, row := range b.openedLines(st, max(width-cardFrame, 1)) {
		rows = append(rows, st.Dim.Apply("  │")+" "+row)
	}
	return rows
}

// openedLines returns the body of an expanded card: the chart and the text of the tool.
func (b *card) openedLines(st *widget.Styles, width int) []string {
	rows := chartLines(st, b.chart, width)
	return append(rows, b.render(b.body(), st, width)...)
}

// body returns the Markdown of an expanded card.
func (b *card) body() string { return cmp.Or(b.forUser, b.title) }

// innerWidth returns the width of the body in a transcript of that width.
func (b *card) innerWidth(width int) int {
	if b.step != "" {
		width -= len(stepIndent)
	}
	return max(width-cardFrame, 1)
}

// chartLines returns the lines of a chart and a blank line, or nil without a chart.
func chartLines(st *widget.Styles, spec *chart.Spec, width int) []string {
	if spec == nil {
		return nil
	}
	var rows []string
	for _, row := range st.RenderChart(*spec, width, widget.ChartHeight(*spec, width)) {
		rows = append(rows, widget.FitLine(row, width))
	}
	return append(rows, "")
}

// head returns the line of a card.
func (b *card) head(st *widget.Styles, width int) string {
	name, title := widget.OneLine(b.name), widget.OneLine(b.title)
	if title == "" {
		title = widget.FormatArguments(b.arguments)
	}
	switch {
	case b.skill != "":
		name, title = "skill loaded", widget.OneLine(b.skill)
	case b.step != "":
		name, title = widget.OneLine(b.step), name+"  "+title
	}
	var right []string
	if summary := widget.OneLine(b.summary); summary != "" && b.state != cardFailed {
		right = append(right, widget.FitLine(summary, width/3))
	}
	if b.state == cardInterrupted {
		right = append(right, "interrupted")
	}
	if b.state != cardRunning && b.took > 0 {
		right = append(right, widget.FormatDuration(b.took))
	}
	left := b.mark(st) + " " + st.Strong.Apply(name)
	if title != "" {
		left += "  " + title
	}
	return widget.JustifyLine(left, st.Dim.Apply(strings.Join(right, "  ")), width)
}

func (b *card) mark(st *widget.Styles) string {
	switch {
	case b.state == cardRunning:
		return st.Accent.Apply("●")
	case b.state == cardFailed:
		return st.Bad.Apply("✗")
	case b.state == cardInterrupted:
		return st.Warn.Apply("!")
	case b.open:
		return st.Good.Apply("▾")
	default:
		return st.Good.Apply("✓")
	}
}

// failureLines returns the error of a failed call in at most three lines.
func (b *card) failureLines(st *widget.Styles, width int) []string {
	const most = 3
	rows := widget.WrapProse(widget.OneLine(b.failure), width-2)
	if len(rows) > most {
		rows = append(rows[:most-1], widget.FitLine(rows[most-1]+"…", width-2))
	}
	for i, row := range rows {
		rows[i] = "  " + st.Bad.Apply(row)
	}
	return rows
}
