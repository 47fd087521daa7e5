// Package recall looks for an earlier message: a line of words, and over it a list of
// the messages that hold them all, the newest first. It gives the message that was
// chosen; what was being written meanwhile is not its affair.
package recall

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// mostFound is how many messages a search lists.
const mostFound = 200

// Search is one that is open.
type Search struct {
	// Line is where the words are written. Follow is called behind each change.
	Line *composer.Composer
	// Menu is the list of what was found.
	Menu *slash.Menu

	messages []string // oldest first
	found    []string
	back     string // the key that closes it, as people write it
}

// Open begins a search of messages, which come with the oldest first.
func Open(st *draw.Styles, keys keymap.Map, messages []string) *Search {
	s := &Search{
		Line: composer.New(st, "earlier: "), Menu: slash.NewMenu(st, "earlier messages, the newest first"),
		back: keys.Label("list-close"),
	}
	s.Line.SetKeys(keys)
	s.Search(messages)
	return s
}

// Search looks through other messages from now on.
func (s *Search) Search(messages []string) {
	s.messages = messages
	s.Follow()
}

// SetStyles changes the theme.
func (s *Search) SetStyles(st *draw.Styles) {
	s.Menu.SetStyles(st)
	s.Line.SetStyles(st)
}

// SetSize gives the search its width, and the list the most rows it may take.
func (s *Search) SetSize(width, rows int) {
	s.Menu.SetSize(width, rows)
	s.Line.SetSize(width, 1)
}

// Follow looks for what is written in the line. Words are one line, whatever was pasted.
func (s *Search) Follow() {
	if text := s.Line.Value(); strings.Contains(text, "\n") {
		s.Line.Set(strings.Join(strings.Fields(text), " "))
	}
	s.found = draft.Find(s.messages, s.Line.Value(), mostFound)
	rows, words := make([]slash.Row, len(s.found)), strings.Fields(s.Line.Value())
	for i, text := range s.found {
		rows[i] = slash.Row{Label: draw.OneLine(around(text, words)), Found: words}
	}
	s.Menu.Offer(rows)
	hint := ""
	if len(rows) == 0 {
		hint = "nothing found"
		if s.back != "" {
			hint += "; " + s.back + " goes back"
		}
	}
	s.Line.SetHint(hint)
}

// Chosen is the message that is highlighted; it is not ok when nothing was found.
func (s *Search) Chosen() (text string, ok bool) {
	if len(s.found) == 0 {
		return "", false
	}
	return s.found[s.Menu.Chosen()], true
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
