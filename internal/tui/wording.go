package tui

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// wordSign tells a word of a command from those that have a sign of their own.
const wordSign = '/'

// arguments are a command and those of its words that are written to their end, with
// single blanks between them.
type arguments struct{ command, written string }

// wordOfCommand is the word that before, the text before the cursor, ends with, if it
// is one that a command knows words for. It may be empty: then it is about to begin.
func (m *Model) wordOfCommand(before string) (draft.Word, arguments, bool) {
	name, _, ok := slash.Parse(before)
	if !ok || strings.Contains(before, "\n") {
		return draft.Word{}, arguments{}, false
	}
	cut := strings.LastIndexAny(before, " \t") + 1
	if c, known := m.commands.named(name); cut == 0 || !known || c.Words == nil {
		return draft.Word{}, arguments{}, false
	}
	typed := before[cut:]
	// The first word is the name itself.
	written := strings.Join(strings.Fields(before[:cut])[1:], " ")
	return draft.Word{Sign: wordSign, Text: typed, Len: utf8.RuneCountInString(typed)}, arguments{name, written}, true
}

// askWords asks beside the screen what may come next.
func (m *Model) askWords() tea.Cmd {
	behind := m.offering.behind
	c, ok := m.commands.named(behind.command)
	if !ok || c.Words == nil {
		return func() tea.Msg { return wordsMsg{behind: behind} }
	}
	return func() tea.Msg { return wordsMsg{behind, c.Words(behind.written)} }
}

func (m *Model) learnWords(msg wordsMsg) {
	o := &m.offering
	// A word that cannot be drawn as it is could not be told from another.
	drawn := slices.DeleteFunc(slices.Clone(msg.words), func(word string) bool { return word == "" || markdown.SanitizeLine(word) != word })
	o.asking, o.known, o.words = false, msg.behind, drawn
	if o.word.Sign == wordSign {
		m.showOffers()
	}
}

// showWords lists what is known for the word of a command.
func (m *Model) showWords() {
	o := &m.offering
	if o.known != o.behind {
		o.offer(nil, nil)
		return
	}
	found := matchingWords(o.words, o.word.Text)
	rows := make([]slash.Row, len(found))
	for i, word := range found {
		rows[i] = slash.Row{Label: word}
	}
	o.offer(rows, found)
}

// matchingWords are those that hold typed, whatever its case: the word itself, those
// that begin so, the others, each in their order.
func matchingWords(words []string, typed string) []string {
	typed = strings.ToLower(typed)
	rank := func(word string) int {
		switch low := strings.ToLower(word); {
		case low == typed:
			return 0
		case strings.HasPrefix(low, typed):
			return 1
		}
		return 2
	}
	found := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.Contains(strings.ToLower(word), typed) })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return found[:min(len(found), mostOffered)]
}
