package transcript

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/agent"
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

// NoticeLevel is the importance of a notice. It is drawn as a sign, so that it can be seen without
// color.
type NoticeLevel string

// Notice levels.
const (
	Info    NoticeLevel = "~"
	Warning NoticeLevel = "!"
	Error   NoticeLevel = "✗"
)

// notice is a line the program says about the conversation.
type notice struct {
	lineCache
	level NoticeLevel
	text  string
}

func (b *notice) compact() bool  { return false }
func (b *notice) source() string { return b.text }

func (b *notice) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *notice) draw(st *widget.Styles, width int) []string {
	style := st.Dim
	switch b.level {
	case Warning:
		style = st.Warn
	case Error:
		style = st.Bad
	}
	rows := widget.WrapProse(markdown.Sanitize(b.text), width-2)
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = style.Apply(string(b.level)) + " "
		}
		if b.level == Info {
			row = style.Apply(row)
		}
		rows[i] = mark + row
	}
	return rows
}

// StopText says why a turn ended early.
func StopText(reason agent.StopReason) string {
	switch reason {
	case agent.StopCancelled:
		return "cancelled; what came was kept"
	case agent.StopStepLimit:
		return "stopped at the step limit; say \"go on\" to continue"
	case agent.StopTimeLimit:
		return "stopped at the time limit; what came was kept. Say \"go on\" to continue"
	case agent.StopCostLimit:
		return "stopped at the cost limit; raise max_cost to go on"
	case agent.StopSessionSteps:
		return "stopped: the session has met its limit of steps; raise max_session_steps, or begin another with /clear"
	case agent.StopSessionTime:
		return "stopped: the session has met its limit of time; raise max_session_time, or begin another with /clear"
	case agent.StopSessionCost:
		return "stopped: the session has met its limit of cost; raise max_session_cost, or begin another with /clear"
	case agent.StopRepeatedCall:
		return "stopped: the model made the same call again and again"
	default:
		return ""
	}
}

// FiguresText counts the figures of an answer that are traced to a tool's result.
func FiguresText(r agent.FiguresReport) (NoticeLevel, string) {
	mark, text := Info, r.Summary()
	if len(r.Untraced) > 0 {
		mark = Warning
	}
	if r.Traced+r.Contradicted > 0 && len(r.Numbers) > 0 {
		text += "; /why 1 says from where"
	}
	return mark, text
}

func figuresNotice(r agent.FiguresReport) *notice {
	mark, text := FiguresText(r)
	return &notice{level: mark, text: text}
}

// RestartText says that the text of an answer will be sent again.
const RestartText = "the server broke off; asked again, from the start"

// RetryText says that the model is asked again, and why. The reason is outside text.
func RetryText(e agent.Retrying) string {
	if e.Wait >= time.Second {
		return "waiting " + widget.FormatDuration(e.Wait) + " to ask again: " + e.Err.Error()
	}
	return "asking again: " + e.Err.Error()
}

// summaryText is shown where a summary replaced older messages.
const summaryText = "room was made here: what came before is sent to the model as a summary"

// outlineText is shown instead if the model did not write the summary.
const outlineText = "room was made here: the model wrote no summary, and is sent what you said and how each answer began"

// CompactedText says what a compaction left out.
func CompactedText(c agent.Compacted) string {
	switch {
	case c.Outline:
		return outlineText
	case c.Summarised:
		return summaryText
	}
	return "room was made here: older results of tools are sent to the model without their data"
}

// thought is the model's reasoning: dim, and one line until it is opened.
type thought struct {
	lineCache
	written strings.Builder
	took    time.Duration // zero while it goes on, and in a resumed conversation
	done    bool
	open    bool
}

func (b *thought) compact() bool  { return true }
func (b *thought) source() string { return b.written.String() }
func (b *thought) isOpen() bool   { return b.open }

func (b *thought) setOpen(open bool) {
	b.open = open
	b.invalidate()
}

func (b *thought) write(text string) {
	b.written.WriteString(text)
	b.invalidate()
}

func (b *thought) finish(after time.Duration) {
	b.done, b.took = true, after
	b.invalidate()
}

func (b *thought) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *thought) draw(st *widget.Styles, width int) []string {
	head := "~ thinking"
	if b.done {
		head = "~ thought"
	}
	if b.open {
		rows := []string{st.Dim.Apply(widget.FitLine(head, width))}
		for _, row := range widget.WrapProse(markdown.Sanitize(b.written.String()), width-4) {
			rows = append(rows, st.Dim.Apply("  │ "+row))
		}
		return rows
	}
	right := ""
	if b.took > 0 {
		right = widget.FormatDuration(b.took)
	}
	return []string{st.Dim.Apply(widget.JustifyLine(head+"  "+b.excerpt(width), right, width))}
}

// excerpt is the end of the reasoning while it goes on, its beginning after.
func (b *thought) excerpt(width int) string {
	text := b.written.String()
	if b.done {
		return widget.OneLine(text[:min(len(text), 4*width)])
	}
	if from := len(text) - 4*width; from > 0 {
		text = text[from:]
	}
	words := []rune(widget.OneLine(text))
	if space := width - 14; space > 0 && len(words) > space {
		words = words[len(words)-space:]
	}
	return string(words)
}

// answer is the model's text. While it streams, markdown.Stream draws it and
// only its unfinished end is drawn again; once done, only the lines are kept.
type answer struct {
	lineCache
	pannableMarkdown
	written strings.Builder
	stream  *markdown.Stream // nil once finished
}

// newAnswer is an answer that is already whole.
func newAnswer(text string) *answer {
	b := &answer{}
	b.written.WriteString(text)
	return b
}

func (b *answer) compact() bool  { return false }
func (b *answer) source() string { return b.written.String() }

// write takes more of the text.
func (b *answer) write(st *widget.Styles, width int, text string) {
	if b.stream == nil {
		b.theme, b.width = st.Version(), width
		b.stream = markdown.NewStream(b.options(st, width))
	}
	b.written.WriteString(text)
	b.stream.Write(text)
}

func (b *answer) finish() {
	if b.stream != nil {
		// What one call may leave unformatted in a long block, the next one,
		// which finds nothing new, draws in full.
		b.stream.Lines()
		b.rows = b.stream.Lines()
		b.stream = nil
	}
}

// mark adds the numbers of the figures that /why explains to a finished answer. text is the answer
// that was checked; if the answer differs from it, mark does nothing.
func (b *answer) mark(text string, r agent.FiguresReport) {
	marked := agent.MarkFigures(text, r)
	if marked == text || strings.TrimLeft(text, "\n") != strings.TrimLeft(b.written.String(), "\n") {
		return
	}
	b.written.Reset()
	b.written.WriteString(strings.TrimLeft(marked, "\n"))
	b.invalidate()
}

func (b *answer) lines(st *widget.Styles, width int) []string {
	if b.stream == nil {
		return b.get(st, width, b.draw)
	}
	if b.theme != st.Version() || b.width != width {
		b.theme, b.width = st.Version(), width
		b.stream.SetOptions(b.options(st, width))
	}
	return b.stream.Lines()
}

func (b *answer) draw(st *widget.Styles, width int) []string {
	return b.render(b.written.String(), st, width)
}
