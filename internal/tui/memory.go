package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/slash"
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

// mostFound is how many messages a search lists.
const mostFound = 200

// searching is a search of earlier messages. What was being written waits in the
// composer.
type searching struct {
	line     *composer.Composer // of the words
	menu     *slash.Menu
	messages []string // oldest first
	found    []string
	close    string // the key that closes it
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
		m.search.messages = m.composer.History.Merged(msg.messages)
		m.search.follow()
	}
}

// searchMemory opens the search. The messages of other chats come when they are
// read anew.
func (m *Model) searchMemory() tea.Cmd {
	m.closeLists()
	m.search = &searching{
		line: composer.New(m.st, "earlier: "), menu: slash.NewMenu(m.st, "earlier messages, the newest first"),
		messages: m.composer.History.Merged(nil), close: m.keys.Label("list-close"),
	}
	m.search.line.SetKeys(m.keys)
	m.search.follow()
	return m.readMemory()
}

// follow looks for what is written in the line.
func (s *searching) follow() {
	s.found = draft.Find(s.messages, s.line.Value(), mostFound)
	rows, words := make([]slash.Row, len(s.found)), strings.Fields(s.line.Value())
	for i, text := range s.found {
		rows[i] = slash.Row{Label: draw.OneLine(around(text, words)), Found: words}
	}
	s.menu.Offer(rows)
	hint := ""
	if len(rows) == 0 {
		hint = "nothing found"
		if s.close != "" {
			hint += "; " + s.close + " goes back"
		}
	}
	s.line.SetHint(hint)
}

// around is as much of a text as a row can show: the beginning, or what is around the
// first of the words. A whole text would be measured at every frame.
func around(text string, words []string) string {
	const most, before = 1 << 10, 1 << 7
	if len(text) <= most {
		return text
	}
	from := 0
	if spans := draw.Spans(text, words); len(spans) > 0 && spans[0].To > most {
		from = spans[0].From - before
	}
	cut := strings.ToValidUTF8(text[from:min(from+most, len(text))], "")
	if from > 0 {
		return "…" + cut
	}
	return cut
}

// searchKey handles a key, by its name in a list, while the search is open. again
// says that it is the one that opens the search.
func (m *Model) searchKey(k tea.KeyPressMsg, name string, again bool) tea.Cmd {
	s := m.search
	switch {
	case name == "esc":
		m.search = nil
	case name == "up", name == "ctrl+p":
		s.menu.Choose(-1)
	case name == "down", name == "ctrl+n", again:
		s.menu.Choose(+1)
	case name == "enter", name == "tab":
		m.search = nil
		if len(s.found) > 0 {
			m.composer.Set(s.found[s.menu.Chosen()])
		}
		m.typed()
		m.closeLists()
	default:
		return s.write(k)
	}
	return nil
}

// write hands a key or a paste to the words. They are one line.
func (s *searching) write(msg tea.Msg) tea.Cmd {
	cmd := s.line.Update(msg)
	if text := s.line.Value(); strings.Contains(text, "\n") {
		s.line.Set(strings.Join(strings.Fields(text), " "))
	}
	s.follow()
	return cmd
}
