package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// forkedMsg carries a fork of the conversation, and what to do in it.
type forkedMsg struct {
	conversation Conversation
	resume       *ResumeRequest
	err          error
	then         func(*Model) tea.Cmd
}

// selectionKey acts on the message or card that has the focus. It reports whether the
// key was one of those.
func (m *Model) selectionKey(name string) (tea.Cmd, bool) {
	chosen, ok := m.transcript.Selected()
	if !ok {
		return nil, false
	}
	switch name {
	case "?":
		return m.showHelp(widget.ScopeSelection), true
	case "c", "y":
		return m.copyText(chosen.Text), true
	case "e":
		return m.fork(chosen.Turn, chosen.Question, func(m *Model) tea.Cmd {
			m.composer.Set(chosen.Question)
			m.updateCompletion()
			return nil
		}), true
	case "r":
		return m.fork(chosen.Turn, chosen.Question, func(m *Model) tea.Cmd { return m.submit(chosen.Question) }), true
	case "f":
		next := m.transcript.QuestionAfter(chosen.Turn)
		return m.fork(chosen.Turn+1, next, nil), true
	}
	return nil, false
}

// selectionHints returns the keys for what has the focus, as the status line shows them.
func (m *Model) selectionHints() string {
	chosen, ok := m.transcript.Selected()
	if !ok || m.prompt.Open() || m.form != nil {
		return ""
	}
	var names [][2]string
	if m.transcript.Pannable() {
		names = append(names, [2]string{"columns-right", "more columns"})
	}
	switch {
	case chosen.Opened:
		names = append(names, [2]string{"toggle", "fold"})
	case chosen.Foldable:
		names = append(names, [2]string{"toggle", "open"})
	}
	names = append(names, [2]string{"copy", "copy"})
	if m.cfg.Fork != nil {
		names = append(names, [][2]string{{"edit", "edit"}, {"retry", "again"}, {"fork", "fork"}}...)
	}
	names = append(names, [2]string{"unchoose", "back"})
	var parts []string
	for _, n := range names {
		if label := m.keys.Label(n[0]); label != "" {
			parts = append(parts, label+" "+n[1])
		}
	}
	return strings.Join(parts, "  ")
}

// copyText copies text to the clipboard of the user's own terminal, wherever the program runs (OSC
// 52).
func (m *Model) copyText(text string) tea.Cmd {
	text = markdown.Sanitize(text)
	if strings.TrimSpace(text) == "" {
		m.status.Warn("there is nothing to copy")
		return nil
	}
	m.status.Warn(fmt.Sprintf("copied %d characters, if the terminal allows it", utf8.RuneCountInString(text)))
	return tea.SetClipboard(text)
}

// copyLast implements /copy.
func (m *Model) copyLast() tea.Cmd { return m.copyText(m.transcript.LastAnswer()) }

// fork continues in a copy of the conversation that ends before a turn. The original stays
// unchanged.
func (m *Model) fork(from int, question string, then func(*Model) tea.Cmd) tea.Cmd {
	switch {
	case m.cfg.Fork == nil || from < 1:
		m.status.Warn("there is nothing to make a copy of")
		return nil
	case m.busy():
		m.status.Warn("an answer is still coming; wait for it, or stop it first")
		return nil
	}
	of, fork := m.conversation, m.cfg.Fork
	m.preparing = true
	return func() tea.Msg {
		r, err := fork(from, question)
		return forkedMsg{conversation: of, resume: r, err: err, then: then}
	}
}

// switchToFork continues in the fork, unless the user has changed the conversation in the
// meantime.
func (m *Model) switchToFork(msg forkedMsg) tea.Cmd {
	m.preparing = false
	switch {
	case msg.err != nil:
		m.transcript.Say(transcript.Error, msg.err.Error())
		return m.continueQueue(false)
	case m.conversation != msg.conversation || m.clearing:
		msg.resume.Done(false)
		return m.continueQueue(false)
	}
	last := m.SessionID()
	draft, queued := m.composer.Value(), m.queue.Drain()
	m.switchConversation(msg.resume.Conversation, msg.resume.History)
	msg.resume.Done(true)
	if last != "" {
		m.transcript.Say(transcript.Info, "a copy of the conversation; the one before is kept as "+last)
	}
	m.refreshStatus()
	if draft != "" || len(queued) > 0 {
		m.returnToComposer(queued...)
	}
	if msg.then == nil {
		return nil
	}
	return msg.then(m)
}
