package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/recall"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// Memory keeps what the user sent, for later chats. It decides what is not for
// keeping. Its methods are called beside the screen.
type Memory interface {
	Messages(ctx context.Context) ([]string, error) // oldest first
	Add(ctx context.Context, text string) error
}

// memoryMsg brings the messages of all chats, or why one could not be kept.
type memoryMsg struct {
	messages []string
	err      error
}

// readMemory asks for the messages of all chats.
func (m *Model) readMemory() tea.Cmd {
	if m.cfg.Memory == nil {
		return nil
	}
	return func() tea.Msg {
		messages, err := m.cfg.Memory.Messages(m.ctx)
		for i, text := range messages {
			messages[i] = markdown.Sanitize(text)
		}
		return memoryMsg{messages, err}
	}
}

// keep remembers what is sent, here and for later chats.
func (m *Model) keep(written string) tea.Cmd {
	kept := written
	if written == m.composer.Value() {
		kept = m.composer.Kept()
	}
	m.composer.History.Remember(strings.TrimSpace(written))
	if m.cfg.Memory == nil {
		return nil
	}
	return func() tea.Msg {
		// A space at the beginning means something to the memory.
		if err := m.cfg.Memory.Add(m.ctx, strings.TrimRight(kept, " \t\n")); err != nil {
			return memoryMsg{err: err}
		}
		return nil
	}
}

// recollect takes in the messages of all chats.
func (m *Model) recollect(msg memoryMsg) {
	if msg.err != nil {
		if !m.forgetful {
			m.forgetful = true // said once
			m.transcript.Say(transcript.Info, msg.err.Error())
		}
		return
	}
	if !m.recalled {
		m.recalled = true
		m.composer.History.Precede(msg.messages)
	}
	if m.search != nil {
		m.search.Search(m.composer.History.Merged(msg.messages))
	}
}

// searchMemory opens the search. The messages of other chats come when they are
// read anew.
func (m *Model) searchMemory() tea.Cmd {
	m.closeLists()
	m.search = recall.Open(m.st, m.keys, m.composer.History.Merged(nil))
	return m.readMemory()
}

// searchKey handles a key, by its name in a list, while the search is open. again
// says that it is the one that opens the search.
func (m *Model) searchKey(k tea.KeyPressMsg, name string, again bool) tea.Cmd {
	s := m.search
	switch {
	case name == "esc":
		m.search = nil
	case name == "up", name == "ctrl+p":
		s.Menu.Choose(-1)
	case name == "down", name == "ctrl+n", again:
		s.Menu.Choose(+1)
	case name == "enter", name == "tab":
		m.search = nil
		if text, ok := s.Chosen(); ok {
			m.composer.Set(text)
		}
		m.typed()
		m.closeLists()
	default:
		return m.searchWith(k)
	}
	return nil
}

// searchWith hands a key or a paste to the words of the search.
func (m *Model) searchWith(msg tea.Msg) tea.Cmd {
	cmd := m.search.Line.Update(msg)
	m.search.Follow()
	return cmd
}
