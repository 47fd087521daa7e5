package widget

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// SymbolSuggestion is a symbol that "$" offers.
type SymbolSuggestion struct {
	Symbol string // the text to insert: "AAPL"
	Name   string // "Apple Inc."
	Kind   string // one word: "held", "watched", "equity"
}

// CompletionSources are the functions that return completions. Files and Symbols may be nil.
type CompletionSources struct {
	Files        func() []string                        // the paths of the folder
	Symbols      func(typed string) []SymbolSuggestion  // best first
	CompleteArgs func(command string) ArgumentCompleter // of a command; nil if it has none
	Now          func() time.Time                       // the clock for the age of the paths
}

// ArgumentCompleter returns the values of the next argument after the complete arguments, best
// first.
type ArgumentCompleter = func(written string) []string

// filesMaxAge is how long the paths of the folder are not read again.
const filesMaxAge = 10 * time.Second

// Completions is the list of completions of the word that is being typed, if there are any. It is not
// safe for concurrent use, but a lookup may run in another goroutine.
type Completions struct {
	*Menu
	keys    KeyMap
	sources CompletionSources
	word    CompletionWord // what the list is for; without a prefix if there is none
	args    commandArgs    // the arguments before it, if it belongs to a command
	texts   []string       // the text that each row inserts
	// closed is the word at which the list was closed.
	closed     CompletionWord
	closedArgs commandArgs

	files     []string
	asOf      time.Time // of files
	lookingUp bool
	symbols   map[string][]SymbolSuggestion // by what was typed
	words     []string                      // of a command
	wordsFor  commandArgs                   // the arguments that words are for; no command if none was looked up
}

// NewCompletions returns a closed list.
func NewCompletions(st *Styles, keys KeyMap, sources CompletionSources) *Completions {
	return &Completions{Menu: NewMenu(st, ""), keys: keys, sources: sources}
}

// Follow shows the completions of the last word of before, the text before the cursor. If another
// list is open it shows none.
func (o *Completions) Follow(before string, covered bool) {
	word, ok := CompletionWordAt(before)
	var args commandArgs
	if !ok {
		word, args, ok = o.argumentAt(before)
	}
	switch {
	case !ok || covered || word.Prefix == FilePrefix && o.sources.Files == nil || word.Prefix == SymbolPrefix && o.sources.Symbols == nil:
		o.word, o.wordsFor = CompletionWord{}, commandArgs{} // the completions of a command may have changed
		o.setRows(nil, nil)
		return
	case word == o.closed && args == o.closedArgs:
		o.setRows(nil, nil)
		return
	case word == o.word && args == o.args:
		return
	}
	o.closed, o.word, o.args = CompletionWord{}, word, args
	o.show()
}

// show lists the known completions of the word.
func (o *Completions) show() {
	switch o.word.Prefix {
	case FilePrefix:
		o.showFiles()
	case wordPrefix:
		o.showWords()
	default:
		o.showSymbols()
	}
}

func (o *Completions) showFiles() {
	found := matchingFiles(o.files, o.word.Text)
	rows := make([]MenuRow, len(found))
	texts := make([]string, len(found))
	for i, file := range found {
		rows[i], texts[i] = MenuRow{Label: file}, FormatMention(file)
	}
	o.setRows(rows, texts)
}

func (o *Completions) showSymbols() {
	symbols, known := o.symbols[o.word.Text]
	if !known && o.lookingUp {
		return // what is shown stays until the lookup returns
	}
	rows := make([]MenuRow, len(symbols))
	texts := make([]string, len(symbols))
	for i, s := range symbols {
		rows[i], texts[i] = MenuRow{Label: s.Symbol, About: s.Name, Kind: s.Kind}, markdown.SanitizeLine(s.Symbol)
	}
	o.setRows(rows, texts)
}

func (o *Completions) setRows(rows []MenuRow, texts []string) {
	o.SetRows(rows)
	o.texts = texts
}

// Close hides the list until the word changes.
func (o *Completions) Close() {
	o.closed, o.closedArgs, o.word = o.word, o.args, CompletionWord{}
	o.setRows(nil, nil)
}

// Replacement is what a row inserts: Text instead of that many letters before the cursor.
type Replacement struct {
	Letters int
	Text    string
}

// Press handles a key while the list is open, and reports whether it was a key of the list. A
// Replacement with a text is to be inserted. The key that runs is not handled if the word is
// complete, or is an argument that is not started, because it then sends the message.
func (o *Completions) Press(k tea.KeyPressMsg) (Replacement, bool) {
	switch action := o.keys.Action(ScopeCompletion, k); action {
	case "list-up", "list-down":
		o.step(action)
	case "list-close":
		o.Close()
	case "list-take", "list-run":
		text := o.texts[o.Chosen()]
		written := string(o.word.Prefix) + o.word.Text
		done := written == text || o.word.Text == text || o.word.Prefix == wordPrefix && o.word.Text == ""
		if action == "list-run" && done {
			o.Close()
			return Replacement{}, false
		}
		return Replacement{Letters: o.word.Len, Text: text + " "}, true
	default:
		return Replacement{}, false
	}
	return Replacement{}, true
}

// LookupResult is the result of a lookup, for Apply.
type LookupResult func(*Completions)

// NextLookup returns the next lookup, which may run in another goroutine, or nil. There is only one
// at a time: Apply must take its result before the next.
func (o *Completions) NextLookup() (lookUp func() LookupResult) {
	typed := o.word.Text
	_, known := o.symbols[typed]
	switch {
	case o.lookingUp:
		return nil
	case o.word.Prefix == FilePrefix && o.sources.Now().Sub(o.asOf) > filesMaxAge:
		lookUp = func() LookupResult {
			paths := o.sources.Files()
			return func(o *Completions) { o.setFiles(paths) }
		}
	case o.word.Prefix == SymbolPrefix && !known:
		lookUp = func() LookupResult {
			symbols := o.sources.Symbols(typed)
			return func(o *Completions) { o.setSymbols(typed, symbols) }
		}
	case o.word.Prefix == wordPrefix && o.wordsFor != o.args:
		args := o.args
		words := o.sources.CompleteArgs(args.command)
		lookUp = func() LookupResult {
			var found []string
			if words != nil {
				found = words(args.written)
			}
			return func(o *Completions) { o.setWords(args, found) }
		}
	}
	o.lookingUp = lookUp != nil
	return lookUp
}

// Apply adds the result of a lookup.
func (o *Completions) Apply(result LookupResult) {
	o.lookingUp = false
	result(o)
}

func (o *Completions) setFiles(paths []string) {
	// Sanitizing would make a name with control characters look like another name.
	o.files = slices.DeleteFunc(paths, func(path string) bool { return markdown.SanitizeLine(path) != path })
	o.asOf = o.sources.Now()
	if o.word.Prefix == FilePrefix {
		o.show()
	}
}

func (o *Completions) setSymbols(typed string, symbols []SymbolSuggestion) {
	if len(o.symbols) > 100 || o.symbols == nil {
		o.symbols = map[string][]SymbolSuggestion{} // a bound; asking again is cheap
	}
	o.symbols[typed] = symbols
	if o.word.Prefix == SymbolPrefix {
		o.show()
	}
}

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

// maxCompletions is how many files or words are listed.
const maxCompletions = 100

// matchingFiles ranks the paths that hold typed, whatever its case: those whose
// name begins so, those that begin so, the others; in each the nearer first.
func matchingFiles(paths []string, typed string) []string {
	typed = strings.ToLower(typed)
	type match struct {
		path       string
		rank, deep int
	}
	var found []match
	for _, p := range paths {
		low := strings.ToLower(p)
		if !strings.Contains(low, typed) {
			continue
		}
		rank := 2
		if strings.HasPrefix(path.Base(low), typed) {
			rank = 0
		} else if strings.HasPrefix(low, typed) {
			rank = 1
		}
		found = append(found, match{p, rank, strings.Count(p, "/")})
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.deep, b.deep), cmp.Compare(a.path, b.path))
	})
	out := make([]string, min(len(found), maxCompletions))
	for i := range out {
		out[i] = found[i].path
	}
	return out
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
	return found[:min(len(found), maxCompletions)]
}
