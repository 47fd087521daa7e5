package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// maxFoundMessages is the maximum number of messages that a search lists.
const maxFoundMessages = 200

// HistorySearch is the open search in the sent messages.
type HistorySearch struct {
	// Line is the editor of the search text.
	Line *Composer
	// Menu lists the matches.
	Menu *Menu

	keys     KeyMap
	messages []string // oldest first
	found    []string
}

// OpenHistorySearch opens a search in messages, oldest first.
func OpenHistorySearch(st *Styles, keys KeyMap, messages []string) *HistorySearch {
	s := &HistorySearch{Line: NewComposer(st, keys, "search: "), Menu: NewMenu(st, "Messages, newest first"), keys: keys}
	s.SetMessages(messages)
	return s
}

// SetMessages replaces the messages to search in.
func (s *HistorySearch) SetMessages(messages []string) {
	s.messages = messages
	s.search()
}

// SetSize sets the width of the search and the maximum height of the list.
func (s *HistorySearch) SetSize(width, rows int) {
	s.Menu.SetSize(width, rows)
	s.Line.SetSize(width, 1)
}

// HistoryReply is the effect of a key on a HistorySearch.
type HistoryReply int

// Replies.
const (
	HistoryReplyHandled HistoryReply = iota
	HistoryReplyClosed               // close the search
	HistoryReplyTaken                // close the search and insert Chosen
)

// Press handles a key.
func (s *HistorySearch) Press(k tea.KeyPressMsg) (tea.Cmd, HistoryReply) {
	switch action := s.keys.Action(ScopeCompletion, k); action {
	case "list-up", "list-down":
		s.Menu.step(action)
	case "list-close":
		return nil, HistoryReplyClosed
	case "list-run", "list-take":
		return nil, HistoryReplyTaken
	default:
		if s.keys.Action(ScopeWriting, k) != "recall" {
			return s.Write(k), HistoryReplyHandled
		}
		s.Menu.Choose(+1)
	}
	return nil, HistoryReplyHandled
}

// Write adds a key or a paste to the search text, and searches.
func (s *HistorySearch) Write(msg tea.Msg) tea.Cmd {
	cmd := s.Line.Update(msg)
	s.search()
	return cmd
}

// search searches for the words in Line. A pasted line break counts as a space.
func (s *HistorySearch) search() {
	if text := s.Line.Value(); strings.Contains(text, "\n") {
		s.Line.Set(strings.Join(strings.Fields(text), " "))
	}
	s.found = FindMessages(s.messages, s.Line.Value(), maxFoundMessages)
	rows, words := make([]MenuRow, len(s.found)), strings.Fields(s.Line.Value())
	for i, text := range s.found {
		rows[i] = MenuRow{Label: OneLine(excerptAround(text, words)), MatchWords: words}
	}
	s.Menu.SetRows(rows)
	hint := ""
	if len(rows) == 0 {
		hint = "no matches"
		if label := s.keys.Label("list-close"); label != "" {
			hint += " · " + label + " close"
		}
	}
	s.Line.SetHint(hint)
}

// Chosen returns the highlighted message; ok is false if nothing was found.
func (s *HistorySearch) Chosen() (text string, ok bool) {
	if len(s.found) == 0 {
		return "", false
	}
	return s.found[s.Menu.Chosen()], true
}

// excerptAround cuts a long text around the first of the words, because Menu measures its rows for
// every frame.
func excerptAround(text string, words []string) string {
	const most, before = 1 << 10, 1 << 7
	if len(text) <= most {
		return text
	}
	from := 0
	if spans := FindSpans(text, words); len(spans) > 0 && spans[0].To > most {
		from = spans[0].From - before
	}
	cut := strings.ToValidUTF8(text[from:min(from+most, len(text))], "")
	if from > 0 {
		return "…" + cut
	}
	return cut
}
