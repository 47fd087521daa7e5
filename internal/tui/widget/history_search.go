package widget

import (
	"strings"
)

// maxFoundMessages is how many messages a search lists.
const maxFoundMessages = 200

// HistorySearch is the open search in the sent messages.
type HistorySearch struct {
	// Line is the editor of the words. Call Follow after each change.
	Line *Composer
	// Menu is the list of the messages found.
	Menu *Menu

	messages []string // oldest first
	found    []string
	closeKey string // label of the key that closes it
}

// OpenHistorySearch opens a search in messages, oldest first.
func OpenHistorySearch(st *Styles, keys KeyMap, messages []string) *HistorySearch {
	s := &HistorySearch{
		Line: NewComposer(st, "earlier: "), Menu: NewMenu(st, "earlier messages, the newest first"),
		closeKey: keys.Label("list-close"),
	}
	s.Line.SetKeys(keys)
	s.SetMessages(messages)
	return s
}

// SetMessages replaces the messages to search in.
func (s *HistorySearch) SetMessages(messages []string) {
	s.messages = messages
	s.Follow()
}

// SetStyles changes the theme.
func (s *HistorySearch) SetStyles(st *Styles) {
	s.Menu.SetStyles(st)
	s.Line.SetStyles(st)
}

// SetSize sets the width of the search and the maximum height of the list.
func (s *HistorySearch) SetSize(width, rows int) {
	s.Menu.SetSize(width, rows)
	s.Line.SetSize(width, 1)
}

// Follow searches for the words in Line. Pasted line breaks count as blanks.
func (s *HistorySearch) Follow() {
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
		hint = "nothing found"
		if s.closeKey != "" {
			hint += "; " + s.closeKey + " goes back"
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

// excerptAround is as much of a text as a row can show: the beginning, or what is around the
// first of the words. A whole text would be measured at every frame.
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
