package transcript

import (
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

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
