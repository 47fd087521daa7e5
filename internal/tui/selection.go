package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// forkedMsg carries a fork of the conversation.
type forkedMsg struct {
	conversation Conversation // the original
	resume       *ResumeRequest
	err          error
	then         func() tea.Cmd // runs in the fork, unless nil
}

// pressSelection handles the keys of the focused message or card. Any other key returns the focus to the
// composer, which then handles it; handled is false.
func (m *Model) pressSelection(k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	if cmd, handled := m.pressChart(k); handled {
		return cmd, true
	}
	chosen, _ := m.transcript.Selected()
	switch m.chat.Keys.Action(widget.ScopeSelection, k) {
	case "toggle":
		if chosen.Answer && m.chat.Figures != nil {
			return m.openFigures(chosen.Turn), true
		}
		m.transcript.ToggleFocused()
	case "choose-up":
		m.transcript.FocusNext(-1)
	case "choose-down":
		m.transcript.FocusNext(+1)
	case "columns-left":
		m.transcript.Pan(-1)
	case "columns-right":
		m.transcript.Pan(+1)
	case "unchoose":
		m.transcript.Blur()
	case "chosen-help":
		return m.showHelp(widget.ScopeSelection), true
	case "view":
		m.viewFocused()
	case "copy":
		return m.copyText(chosen.Text), true
	case "edit":
		return m.fork(chosen.Turn, chosen.Question, func() tea.Cmd {
			m.input.write(chosen.Question)
			return nil
		}), true
	case "retry":
		return m.fork(chosen.Turn, chosen.Question, func() tea.Cmd { return m.submit(chosen.Question) }), true
	case "fork":
		return m.fork(chosen.Turn+1, m.transcript.QuestionAfter(chosen.Turn), nil), true
	default:
		m.transcript.Blur()
		return nil, false
	}
	return nil, true
}

// modeHints returns the keys of what is open above or in the composer, or of the selected message, for the
// status line. Questions and forms name their keys themselves.
func (m *Model) modeHints() string {
	hints := func(hints ...widget.ActionHint) string { return m.chat.Keys.Hints("", "   ", hints...) }
	switch {
	case m.prompt.Open() || m.question != nil || m.form != nil:
		return ""
	case m.input.findBar != nil:
		return hints(widget.ActionHint{Action: "search-up", Text: "match above"}, widget.ActionHint{Action: "search-down", Text: "below"}, widget.ActionHint{Action: "search-close", Text: "close"})
	case m.input.queue.Open():
		return hints(widget.ActionHint{Action: "list-run", Text: "edit"}, widget.ActionHint{Action: "list-remove", Text: "remove"}, widget.ActionHint{Action: "list-close", Text: "close"})
	case m.input.historySearch != nil:
		return hints(widget.ActionHint{Action: "list-run", Text: "take"}, widget.ActionHint{Action: "list-close", Text: "close"})
	case m.input.overlay().Height() > 0:
		return hints(widget.ActionHint{Action: "list-take", Text: "insert"}, widget.ActionHint{Action: "list-run", Text: "run"}, widget.ActionHint{Action: "list-close", Text: "close"})
	}
	return m.selectionHints()
}

// selectionHints returns the keys for the focused message or card, for the status line.
func (m *Model) selectionHints() string {
	chosen, ok := m.transcript.Selected()
	if !ok {
		return ""
	}
	var hints []widget.ActionHint
	add := func(when bool, more ...widget.ActionHint) {
		if when {
			hints = append(hints, more...)
		}
	}
	add(m.transcript.Pannable(), widget.ActionHint{Action: "columns-right", Text: "more columns"})
	add(chosen.Answer && m.chat.Figures != nil, widget.ActionHint{Action: "toggle", Text: "figures"})
	add(chosen.Opened, widget.ActionHint{Action: "toggle", Text: "collapse"})
	add(chosen.Foldable && !chosen.Opened, widget.ActionHint{Action: "toggle", Text: "expand"})
	add(chosen.Foldable || chosen.ChartCommand != "", widget.ActionHint{Action: "view", Text: "full screen"})
	if isChartCommand(chosen.ChartCommand) {
		add(true, chartHints()...)
	} else {
		add(true, widget.ActionHint{Action: "copy", Text: "copy"})
	}
	add(m.chat.Fork != nil && !isChartCommand(chosen.ChartCommand), []widget.ActionHint{{Action: "edit", Text: "edit"}, {Action: "retry", Text: "retry"}, {Action: "fork", Text: "fork"}}...)
	return m.chat.Keys.FittingHints("", "  ", m.measure(), hints, widget.ActionHint{Action: "unchoose", Text: "back"})
}

// openFigures opens the list of the figures of a turn's answer.
func (m *Model) openFigures(turn int) tea.Cmd {
	s, err := m.chat.Figures(turn)
	if err != nil {
		m.status.Warning = humanize.Sentence(err.Error())
		return nil
	}
	return m.openListScreen(s, "")
}

// copyText copies text to the clipboard of the user's terminal (OSC 52), which also works over SSH.
func (m *Model) copyText(text string) tea.Cmd {
	text = markdown.Sanitize(text)
	if strings.TrimSpace(text) == "" {
		m.status.Warning = "Nothing to copy."
		return nil
	}
	m.status.Warning = "Copied " + humanize.Count(utf8.RuneCountInString(text), "character", "characters") + "."
	return tea.SetClipboard(text)
}

// fork continues in a copy of the conversation that ends before turn from.
func (m *Model) fork(from int, question string, then func() tea.Cmd) tea.Cmd {
	switch {
	case m.chat.Fork == nil || from < 1:
		m.status.Warning = "Nothing to fork."
		return nil
	}
	m.dropTask()
	if m.busy() {
		m.status.Warning = "nfa is still answering. Wait, or stop the answer first."
		return nil
	}
	conversation, fork := m.chat.Conversation, m.chat.Fork
	m.preparing = true
	return func() tea.Msg {
		r, err := fork(from, question)
		return forkedMsg{conversation: conversation, resume: r, err: err, then: then}
	}
}

// switchToFork continues in the fork, unless the user switched to another conversation in the
// meantime.
func (m *Model) switchToFork(msg forkedMsg) tea.Cmd {
	m.preparing = false
	switch {
	case msg.err != nil:
		m.transcript.Say(transcript.Error, msg.err.Error())
		return m.continueQueue(false)
	case m.chat.Conversation != msg.conversation || m.clearing:
		msg.resume.Done(false)
		return m.continueQueue(false)
	}
	draft, queued := m.input.composer.Value(), m.input.queue.Drain()
	left := m.switchTo(msg.resume.Conversation, msg.resume.History)
	msg.resume.Done(true)
	if left != "" {
		m.transcript.Say(transcript.Info, "Forked. The previous session is saved as "+left+".")
	}
	m.refreshStatus()
	if draft != "" || len(queued) > 0 {
		m.input.takeBack(queued...)
	}
	if msg.then == nil {
		return nil
	}
	return msg.then()
}
