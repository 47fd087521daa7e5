package widget

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// wordPrefix tells a word of a command from those that have a sign of their own.
const wordPrefix = '/'

// commandArgs are a command and those of its words that are written to their end, with
// single blanks between them.
type commandArgs struct{ command, written string }

// argumentAt is the word that before, the text before the cursor, ends with, if it
// is one that a command knows words for. It may be empty: then it is about to begin.
func (o *Completions) argumentAt(before string) (CompletionWord, commandArgs, bool) {
	name, _, ok := ParseCommand(before)
	if !ok || strings.Contains(before, "\n") {
		return CompletionWord{}, commandArgs{}, false
	}
	cut := strings.LastIndexAny(before, " \t") + 1
	if cut == 0 || o.sources.CompleteArgs(name) == nil {
		return CompletionWord{}, commandArgs{}, false
	}
	typed := before[cut:]
	// The first word is the name itself.
	written := strings.Join(strings.Fields(before[:cut])[1:], " ")
	return CompletionWord{Prefix: wordPrefix, Text: typed, Len: utf8.RuneCountInString(typed)}, commandArgs{name, written}, true
}

// lookUpWords asks what may come next.
func (o *Completions) lookUpWords() func() LookupResult {
	behind := o.args
	words := o.sources.CompleteArgs(behind.command)
	return func() LookupResult {
		var found []string
		if words != nil {
			found = words(behind.written)
		}
		return LookupResult{func(o *Completions) { o.setWords(behind, found) }}
	}
}

func (o *Completions) setWords(behind commandArgs, words []string) {
	// A word that cannot be drawn as it is could not be told from another.
	drawn := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" || markdown.SanitizeLine(word) != word })
	o.wordsFor, o.words = behind, drawn
	if o.word.Prefix == wordPrefix {
		o.show()
	}
}

// showWords lists what is known for the word of a command.
func (o *Completions) showWords() {
	if o.wordsFor != o.args {
		o.setRows(nil, nil)
		return
	}
	found := matchingWords(o.words, o.word.Text)
	rows := make([]MenuRow, len(found))
	for i, word := range found {
		rows[i] = MenuRow{Label: word}
	}
	o.setRows(rows, found)
}
