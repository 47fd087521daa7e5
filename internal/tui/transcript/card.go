package transcript

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// cardState is how far a call has come.
type cardState int

const (
	cardRunning cardState = iota
	cardDone
	cardFailed
	cardInterrupted
)

// card is a call of a tool: one line, and what the tool made for people once
// opened. Every tool is drawn the same.
type card struct {
	memo
	name      string
	step      string // of the call that it is a step of, or ""
	arguments string // as the model wrote them; shown until there is a title
	title     string
	summary   string
	forUser   string
	failure   string
	skill     string // the skill that was loaded, when that is what the call did
	took      time.Duration
	state     cardState
	open      bool
}

func (b *card) compact() bool { return true }
func (b *card) isOpen() bool  { return b.open }

func (b *card) setOpen(open bool) {
	b.open = open
	b.forget()
}

// change alters the card and has it drawn anew.
func (b *card) change(f func(*card)) {
	f(b)
	b.forget()
}

func (b *card) lines(st *draw.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *card) draw(st *draw.Styles, width int) []string {
	if b.step != "" {
		return b.drawStep(st, width)
	}
	return b.drawCall(st, width)
}

// drawStep sets the card of a step in, under the call that made it.
func (b *card) drawStep(st *draw.Styles, width int) []string {
	const indent = "  "
	rows := b.drawCall(st, max(width-len(indent), 1))
	for i, row := range rows {
		rows[i] = indent + row
	}
	return rows
}

func (b *card) drawCall(st *draw.Styles, width int) []string {
	rows := []string{b.head(st, width)}
	if b.state == cardFailed {
		rows = append(rows, b.excuse(st, width)...)
	}
	if !b.open {
		return rows
	}
	body := b.forUser
	if body == "" {
		body = b.title
	}
	for _, row := range markdown.Render(body, st.Markdown(max(width-4, 1))) {
		rows = append(rows, st.Dim.Apply("  │")+" "+row)
	}
	return rows
}

func (b *card) head(st *draw.Styles, width int) string {
	name, title := draw.OneLine(b.name), draw.OneLine(b.title)
	if title == "" {
		title = draw.Arguments(b.arguments)
	}
	switch {
	case b.skill != "":
		name, title = "skill loaded", draw.OneLine(b.skill)
	case b.step != "":
		name, title = draw.OneLine(b.step), name+"  "+title
	}
	var right []string
	if summary := draw.OneLine(b.summary); summary != "" && b.state != cardFailed {
		right = append(right, draw.Fit(summary, width/3))
	}
	if b.state == cardInterrupted {
		right = append(right, "interrupted")
	}
	if b.state != cardRunning && b.took > 0 {
		right = append(right, draw.Duration(b.took))
	}
	left := b.mark(st) + " " + st.Strong.Apply(name)
	if title != "" {
		left += "  " + title
	}
	return draw.Spread(left, st.Dim.Apply(strings.Join(right, "  ")), width)
}

func (b *card) mark(st *draw.Styles) string {
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

// excuse shows why a call failed without opening the card, in a few lines.
func (b *card) excuse(st *draw.Styles, width int) []string {
	const most = 3
	rows := draw.Wrap(draw.OneLine(b.failure), width-2)
	if len(rows) > most {
		rows = append(rows[:most-1], draw.Fit(rows[most-1]+"…", width-2))
	}
	for i, row := range rows {
		rows[i] = "  " + st.Bad.Apply(row)
	}
	return rows
}
