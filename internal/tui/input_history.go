package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// InputHistory stores what the user sent, for later chats. It decides what not to store. Its
// methods are called outside the update loop.
type InputHistory interface {
	Messages(ctx context.Context) ([]string, error) // oldest first
	Add(ctx context.Context, text string) error
}

// historyMsg carries the messages of all chats, or the error of storing one.
type historyMsg struct {
	messages []string
	err      error
}

// loadHistory returns the command that loads the messages of all chats.
func (m *Model) loadHistory() tea.Cmd {
	if m.cfg.InputHistory == nil {
		return nil
	}
	return func() tea.Msg {
		messages, err := m.cfg.InputHistory.Messages(m.ctx)
		for i, text := range messages {
			messages[i] = markdown.Sanitize(text)
		}
		return historyMsg{messages, err}
	}
}

// rememberInput adds what is sent to the history of this chat and of later ones.
func (m *Model) rememberInput(written string) tea.Cmd {
	stored := written
	if written == m.composer.Value() {
		stored = m.composer.HistoryText()
	}
	m.composer.History.Remember(strings.TrimSpace(written))
	if m.cfg.InputHistory == nil {
		return nil
	}
	return func() tea.Msg {
		// The history treats a leading space as a request not to store the message.
		if err := m.cfg.InputHistory.Add(m.ctx, strings.TrimRight(stored, " \t\n")); err != nil {
			return historyMsg{err: err}
		}
		return nil
	}
}

// applyHistory applies loaded messages, or shows the first error.
func (m *Model) applyHistory(msg historyMsg) {
	if msg.err != nil {
		if !m.historyWarned {
			m.historyWarned = true // shown once
			m.transcript.Say(transcript.Info, msg.err.Error())
		}
		return
	}
	if !m.historyLoaded {
		m.historyLoaded = true
		m.composer.History.Prepend(msg.messages)
	}
	if m.historySearch != nil {
		m.historySearch.SetMessages(m.composer.History.MergeWith(msg.messages))
	}
}

// openHistorySearch opens the search. The messages of other chats are added when they are loaded.
func (m *Model) openHistorySearch() tea.Cmd {
	m.closeLists()
	m.historySearch = widget.OpenHistorySearch(m.st, m.keys, m.composer.History.MergeWith(nil))
	return m.loadHistory()
}

// historySearchKey handles a key, by its name in a list, while the search is open. again
// says that it is the one that opens the search.
func (m *Model) historySearchKey(k tea.KeyPressMsg, name string, again bool) tea.Cmd {
	s := m.historySearch
	switch {
	case name == "esc":
		m.historySearch = nil
	case name == "up", name == "ctrl+p":
		s.Menu.Choose(-1)
	case name == "down", name == "ctrl+n", again:
		s.Menu.Choose(+1)
	case name == "enter", name == "tab":
		m.historySearch = nil
		if text, ok := s.Chosen(); ok {
			m.composer.Set(text)
		}
		m.updateCompletion()
		m.closeLists()
	default:
		return m.updateHistorySearch(k)
	}
	return nil
}

// updateHistorySearch passes a key or a paste to the words of the search.
func (m *Model) updateHistorySearch(msg tea.Msg) tea.Cmd {
	cmd := m.historySearch.Line.Update(msg)
	m.historySearch.Follow()
	return cmd
}
