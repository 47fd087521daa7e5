package transcript

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
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

// card is a tool call: one line, or its key figures, and all of its result when it is expanded.
type card struct {
	lineCache
	pannableMarkdown
	id            string // of the call
	name          string
	label         string // of the tool, for people
	step          string // the workflow step that made the call, or ""
	arguments     string // as the model wrote them; shown while title is empty
	result        tool.Result
	failure       string
	failureStated bool          // the answer states the failure
	skill         string        // the skill that the call loaded, or ""
	began         time.Time     // of the run, after an approval
	doing         string        // the activity, while it runs
	took          time.Duration // so far, while it runs
	state         cardState
	open          bool
	shown         bool    // an answer has shown the body of the result
	asBody        bool    // draw the body of the result instead of the line
	asFigures     bool    // draw the key figures instead of the line
	steps         []*card // of a workflow
}

// compact reports whether the card is drawn without a blank line after another card. Key figures and bodies
// have one.
func (b *card) compact() bool { return !b.drawsFigures() && !b.drawsBody() }
func (b *card) isOpen() bool  { return b.open }

func (b *card) drawsBody() bool { return b.asBody && !b.open }

func (b *card) drawsFigures() bool { return b.asFigures && len(b.result.Keys) > 0 && !b.open }

// source implements block.
func (b *card) source() string {
	if b.failure != "" {
		return b.failure
	}
	return cmp.Or(b.text(), strings.TrimSpace(b.displayName()+"  "+cmp.Or(b.result.Title, b.arguments)), b.skill)
}

// text returns the Markdown of the result with its source and notes.
func (b *card) text() string {
	return strings.TrimSpace(b.result.UserText())
}

// displayName returns the label. In a session recorded before tools had labels, it makes one from the name.
func (b *card) displayName() string { return cmp.Or(b.label, tool.LabelOf(b.name)) }

func (b *card) setOpen(open bool) {
	b.open = open
	for _, step := range b.steps {
		step.setOpen(open)
	}
	b.invalidate()
}

// change changes the card and invalidates its lines.
func (b *card) change(f func(*card)) {
	f(b)
	b.invalidate()
}

func (b *card) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

const (
	stepIndent = "  "
	cardFrame  = 4 // columns of the line at the left of an expanded card
)

func (b *card) draw(st *widget.Styles, width int) []string {
	if b.drawsFigures() {
		return st.KeyFigures(b.result.About, b.result.Keys, width)
	}
	if b.drawsBody() {
		return trimEnd(b.render(b.result.BodyText(), st, width))
	}
	rows := []string{b.head(st, width)}
	stepFailed := slices.ContainsFunc(b.steps, func(step *card) bool { return step.state == cardFailed }) // and states why
	if b.state == cardFailed && !stepFailed && (!b.failureStated || b.open) {
		rows = append(rows, b.failureLines(st, width)...)
	}
	for _, step := range b.steps {
		if b.open || b.state != cardDone || step.state == cardFailed {
			for _, row := range step.draw(st, max(width-len(stepIndent), 1)) {
				rows = append(rows, stepIndent+row)
			}
		}
	}
	if !b.open {
		return rows
	}
	for _, row := range b.openedLines(st, max(width-cardFrame, 1)) {
		rows = append(rows, st.Dim.Apply("  │")+" "+row)
	}
	return rows
}

// openedLines returns the body of an expanded card: the chart, the text of the result, and the call.
func (b *card) openedLines(st *widget.Styles, width int) []string {
	var rows []string
	if b.result.Opened {
		rows = st.KeyFigures(b.result.About, b.result.Keys, width)
	}
	return slices.Concat(rows, chartLines(st, b.result.Chart, width), b.textLines(st, width))
}

// textLines returns the text of the result, and the call.
func (b *card) textLines(st *widget.Styles, width int) []string {
	rows := b.render(b.body(), st, width)
	if b.name == "" || b.state == cardRunning {
		return rows
	}
	if len(rows) > 0 {
		rows = append(rows, "")
	}
	call := strings.TrimSpace(widget.OneLine(b.name) + "  " + widget.FormatArguments(b.arguments))
	return append(rows, st.Dim.Apply(widget.FitLine(call, width)))
}

// body returns the Markdown of an expanded card. The text of a chart repeats its curve in words.
func (b *card) body() string {
	if b.result.Opened {
		result := b.result
		result.ForUser = result.BodyText()
		return result.UserText()
	}
	return cmp.Or(b.text(), b.result.Title)
}

// shownText returns the Markdown that the card draws in a transcript of this width, and the width of that
// text. The Markdown is "" if the card draws only its line.
func (b *card) shownText(width int) (string, int) {
	switch {
	case b.open:
		return b.body(), max(width-cardFrame, 1)
	case b.asBody:
		return b.result.BodyText(), width
	}
	return "", width
}

// chartLines returns the lines of a chart and a blank line, or nil without a chart.
func chartLines(st *widget.Styles, spec *chart.Spec, width int) []string {
	if spec == nil {
		return nil
	}
	var rows []string
	for _, row := range st.RenderChart(*spec, width, st.ChartHeight(*spec)) {
		rows = append(rows, widget.FitLine(row, width))
	}
	return append(rows, "")
}

// labelWidth aligns what follows the labels of cards.
const labelWidth = 10

// head returns the line of a card.
func (b *card) head(st *widget.Styles, width int) string {
	name, title := widget.OneLine(b.displayName()), widget.OneLine(b.result.Title)
	if title == "" {
		title = widget.FormatArguments(b.arguments)
	}
	switch {
	case b.skill != "":
		name, title = "Skill", widget.OneLine(b.skill)
	case b.step != "":
		name, title = widget.OneLine(b.step), strings.TrimSpace(name+"  "+title)
	}
	if len(b.steps) > 0 && b.state == cardDone && !b.open {
		title = strings.TrimSpace(title + " · " + humanize.Count(len(b.steps), "step", "steps"))
	}
	left := b.mark(st) + " " + widget.PadRight(st.Strong.Apply(name), labelWidth)
	if title != "" {
		left += " " + title
	}
	left = strings.TrimRight(left, " ")
	var right []string
	if summary := widget.OneLine(b.result.Summary); summary != "" && (b.state != cardFailed || b.failureStated) {
		space := width - ansi.StringWidth(left) - timeWidth - 2*len(cardGap)
		right = append(right, widget.FitLine(summary, max(space, width/3)))
	}
	if b.skill != "" {
		right = []string{"loaded"}
	}
	if b.state == cardInterrupted {
		right = append(right, "interrupted")
	}
	if b.state == cardRunning && b.doing != "" {
		right = append(right, widget.OneLine(b.doing))
	}
	if b.took > 0 {
		right = append(right, widget.PadLeft(widget.FormatDuration(b.took), timeWidth))
	}
	return widget.JustifyLine(left, st.Dim.Apply(strings.Join(right, cardGap)), width)
}

const cardGap = "  " // between the parts of a card's line

// timeWidth aligns the times of cards.
const timeWidth = 6

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
	rows := widget.WrapProse(humanize.Sentence(widget.OneLine(b.failure)), width-2)
	if len(rows) > most {
		rows = append(rows[:most-1], widget.FitLine(rows[most-1]+"…", width-2))
	}
	for i, row := range rows {
		rows[i] = "  " + st.Bad.Apply(row)
	}
	return rows
}
