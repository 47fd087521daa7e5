package offer

import (
	"slices"
	"strings"
	"unicode/utf8"

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
func (o *Offers) wordOfCommand(before string) (draft.Word, arguments, bool) {
	name, _, ok := slash.Parse(before)
	if !ok || strings.Contains(before, "\n") {
		return draft.Word{}, arguments{}, false
	}
	cut := strings.LastIndexAny(before, " \t") + 1
	if cut == 0 || o.from.Words(name) == nil {
		return draft.Word{}, arguments{}, false
	}
	typed := before[cut:]
	// The first word is the name itself.
	written := strings.Join(strings.Fields(before[:cut])[1:], " ")
	return draft.Word{Sign: wordSign, Text: typed, Len: utf8.RuneCountInString(typed)}, arguments{name, written}, true
}

// askWords asks what may come next.
func (o *Offers) askWords() func() Found {
	behind := o.behind
	words := o.from.Words(behind.command)
	return func() Found {
		var found []string
		if words != nil {
			found = words(behind.written)
		}
		return Found{func(o *Offers) { o.learnWords(behind, found) }}
	}
}

func (o *Offers) learnWords(behind arguments, words []string) {
	// A word that cannot be drawn as it is could not be told from another.
	drawn := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" || markdown.SanitizeLine(word) != word })
	o.known, o.words = behind, drawn
	if o.word.Sign == wordSign {
		o.show()
	}
}

// showWords lists what is known for the word of a command.
func (o *Offers) showWords() {
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
