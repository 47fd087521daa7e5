package transcript

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// block is one part of the transcript, such as a message or a card. It draws itself to lines of at most
// width columns and caches them until it, the width or the theme changes.
type block interface {
	lines(st *widget.Styles, width int) []string
	// compact reports whether the block is drawn without a blank line between it and another compact one.
	compact() bool
	// source returns the unsanitized text of the block for copying and searching, or "".
	source() string
}

// foldable is a block that can be expanded.
type foldable interface {
	block
	setOpen(open bool)
	isOpen() bool
}

// lineCache caches the lines of a block.
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

// invalidate must be called after a change of the block.
func (m *lineCache) invalidate() { m.rows = nil }

// userMessage is a message of the user.
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

// CommandLine is a command that the user sent. It is drawn like a message but is not a turn.
type CommandLine = *commandLine

type commandLine struct{ userMessage }

// programOutput is Markdown of the program itself, such as the output of a command.
type programOutput struct {
	lineCache
	pannableMarkdown
	text    string
	chart   *chart.Spec // above the text, or nil
	command string      // that the user sent for it
}

func (b *programOutput) compact() bool  { return false }
func (b *programOutput) source() string { return b.text }

func (b *programOutput) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *programOutput) draw(st *widget.Styles, width int) []string {
	return trimEnd(append(chartLines(st, b.chart, width), b.render(b.text, st, width)...))
}

// trimEnd returns rows without a blank one at the end.
func trimEnd(rows []string) []string {
	if n := len(rows); n > 0 && rows[n-1] == "" {
		return rows[:n-1]
	}
	return rows
}

// NoticeLevel is the importance of a notice. Its value is the mark of the notice, which is visible
// without color.
type NoticeLevel string

// Notice levels.
const (
	Info    NoticeLevel = "~"
	Warning NoticeLevel = "!"
	Error   NoticeLevel = "✗"
)

// notice is a message of the program about the conversation.
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

// sourceLine is the line below an answer, or a notice below it.
type sourceLine struct {
	lineCache
	text     string
	isNotice bool // wrapped and not cut
}

func (b *sourceLine) compact() bool  { return true }
func (b *sourceLine) source() string { return "" }

func (b *sourceLine) lines(st *widget.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *sourceLine) draw(st *widget.Styles, width int) []string {
	if b.isNotice {
		return st.NoticeLines(b.text, width)
	}
	return []string{st.SourceLine(b.text, width)}
}

// StopText returns the notice for a turn that ended early, or "".
func StopText(reason agent.StopReason) string {
	switch reason {
	case agent.StopCancelled:
		return "Stopped. The partial answer is kept."
	case agent.StopStepLimit:
		return "Stopped at the step limit. Send \"continue\" to continue."
	case agent.StopTimeLimit:
		return "Stopped at the time limit. The partial answer is kept; send \"continue\" to continue."
	case agent.StopCostLimit:
		return "Stopped at the cost limit. To continue, raise max_cost."
	case agent.StopSessionSteps:
		return "Stopped: the session reached its step limit. Raise max_session_steps, or start a new session with /clear."
	case agent.StopSessionTime:
		return "Stopped: the session reached its time limit. Raise max_session_time, or start a new session with /clear."
	case agent.StopSessionCost:
		return "Stopped: the session reached its cost limit. Raise max_session_cost, or start a new session with /clear."
	case agent.StopRepeatedCall:
		return "Stopped: the model repeated the same tool call."
	default:
		return ""
	}
}

// RestartText is the notice before an answer that restarts from its beginning.
const RestartText = "The connection was lost. Asking again from the start."

// RetryText returns the notice for a retry. It contains the unsanitized error.
func RetryText(e agent.Retrying) string {
	if e.Wait >= time.Second {
		return "retrying in " + widget.FormatDuration(e.Wait) + ": " + e.Err.Error()
	}
	return "retrying: " + e.Err.Error()
}

// summaryText is the notice where a summary replaced older messages.
const summaryText = "Context compacted: earlier messages are sent to the model as a summary."

// outlineText is shown instead if the model did not write the summary.
const outlineText = "Context compacted without a summary: from earlier turns, the model receives your messages and the beginning of each answer."

// CompactedText returns the notice for a compaction.
func CompactedText(c agent.Compacted) string {
	switch {
	case c.Outline:
		return outlineText
	case c.Summarised:
		return summaryText
	}
	return "Context compacted: older tool results are sent to the model without their data."
}

// thought is the model's reasoning: one dim line until it is expanded.
type thought struct {
	lineCache
	written strings.Builder
	took    time.Duration // zero while it runs and in a resumed session
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

// excerpt returns the end of the reasoning while it runs, and its start afterwards.
func (b *thought) excerpt(width int) string {
	text := b.written.String()
	if b.done {
		return widget.OneLine(text[:min(len(text), 4*width)])
	}
	if from := len(text) - 4*width; from > 0 {
		text = text[from:]
	}
	tail := []rune(widget.OneLine(text))
	if space := width - 14; space > 0 && len(tail) > space {
		tail = tail[len(tail)-space:]
	}
	return string(tail)
}

// answer is the model's text. While it streams, markdown.Stream draws it and redraws only its
// unfinished end.
type answer struct {
	lineCache
	pannableMarkdown
	written strings.Builder
	stream  *markdown.Stream // nil once finished
	figures []trace.MatchedNumber
}

// newAnswer returns a complete answer.
func newAnswer(text string) *answer {
	b := &answer{}
	b.written.WriteString(text)
	return b
}

func (b *answer) compact() bool  { return false }
func (b *answer) source() string { return b.written.String() }

// write appends streamed text.
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
		// One call may leave the end of a long block unformatted; a second call formats it.
		b.stream.Lines()
		b.rows = b.stream.Lines()
		b.stream = nil
	}
}

// mark marks the figures of a finished answer that are not traced. text is the answer that was checked; if
// this is another one, mark does nothing.
func (b *answer) mark(text string, r agent.FiguresReport) {
	trimmed := strings.TrimLeft(text, "\n")
	if trimmed != strings.TrimLeft(b.written.String(), "\n") {
		return
	}
	b.figures = nil
	for _, n := range r.Numbers {
		n.Start -= len(text) - len(trimmed)
		n.End -= len(text) - len(trimmed)
		b.figures = append(b.figures, n)
	}
	b.written.Reset()
	b.written.WriteString(trimmed)
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
	text := b.written.String()
	return markdown.RenderMarked(text, b.options(st, width), figureMarks(st, text, b.figures))
}
