package widget

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// wordPrefix marks arguments of a command, which have no prefix of their own.
const wordPrefix = '/'

// commandArgs are a command and its complete arguments, separated by single blanks.
type commandArgs struct{ command, written string }

// argumentAt returns the last word of before, the text before the cursor, if the command has
// completions for it. It may be empty if it is about to begin.
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

// lookUpWords returns the lookup of the next argument.
func (o *Completions) lookUpWords() func() LookupResult {
	args := o.args
	words := o.sources.CompleteArgs(args.command)
	return func() LookupResult {
		var found []string
		if words != nil {
			found = words(args.written)
		}
		return LookupResult{func(o *Completions) { o.setWords(args, found) }}
	}
}

func (o *Completions) setWords(args commandArgs, words []string) {
	// Sanitizing would make a word with control characters look like another word.
	drawn := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" || markdown.SanitizeLine(word) != word })
	o.wordsFor, o.words = args, drawn
	if o.word.Prefix == wordPrefix {
		o.show()
	}
}

// showWords lists the completions of an argument.
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
