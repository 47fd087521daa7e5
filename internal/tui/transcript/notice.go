package transcript

import (
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// Mark is how much a notice wants to be read. It is a sign, so that it can be
// told without colour.
type Mark string

// Marks of a notice.
const (
	Info    Mark = "~"
	Warning Mark = "!"
	Error   Mark = "✗"
)

// notice is a line the program says about the conversation.
type notice struct {
	memo
	mark Mark
	text string
}

func (b *notice) compact() bool  { return false }
func (b *notice) source() string { return b.text }

func (b *notice) lines(st *draw.Styles, width int) []string { return b.get(st, width, b.draw) }

func (b *notice) draw(st *draw.Styles, width int) []string {
	style := st.Dim
	switch b.mark {
	case Warning:
		style = st.Warn
	case Error:
		style = st.Bad
	}
	rows := draw.WrapProse(markdown.Sanitize(b.text), width-2)
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = style.Apply(string(b.mark)) + " "
		}
		if b.mark == Info {
			row = style.Apply(row)
		}
		rows[i] = mark + row
	}
	return rows
}

// StopWords says why a turn ended where it did not simply end.
func StopWords(reason agent.StopReason) string {
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

// FiguresWords counts the numbers of an answer that go back to a tool's result.
func FiguresWords(r agent.FiguresReport) (Mark, string) {
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
	mark, text := FiguresWords(r)
	return &notice{mark: mark, text: text}
}

// AfreshWords say that what came of an answer comes again.
const AfreshWords = "the server broke off; asked again, from the start"

// RetryWords say that the model is asked again, and why. They are outside text.
func RetryWords(e agent.Retrying) string {
	if e.Wait >= time.Second {
		return "waiting " + draw.Duration(e.Wait) + " to ask again: " + e.Err.Error()
	}
	return "asking again: " + e.Err.Error()
}

// summaryWords stand where a summary took the place of what came before.
const summaryWords = "room was made here: what came before is sent to the model as a summary"

// outlineWords stand there where the model did not write the summary.
const outlineWords = "room was made here: the model wrote no summary, and is sent what you said and how each answer began"

// CompactedWords say what was left out to make room.
func CompactedWords(c agent.Compacted) string {
	switch {
	case c.Outline:
		return outlineWords
	case c.Summarised:
		return summaryWords
	}
	return "room was made here: older results of tools are sent to the model without their data"
}
