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
	CompleteArgs func(command string) ArgumentCompleter // nil if the command has none
	Now          func() time.Time                       // for the age of the paths
}

// ArgumentCompleter returns values for the argument after the written ones, best first.
type ArgumentCompleter = func(written string) []string

// filesMaxAge is how long the paths of the folder are cached.
const filesMaxAge = 10 * time.Second

// Completions lists the completions of the word at the cursor. It is not safe for concurrent use,
// but a lookup may run in another goroutine.
type Completions struct {
	*Menu
	keys    KeyMap
	sources CompletionSources
	word    CompletionWord // the word to complete; without a prefix if there is none
	args    commandArgs    // the arguments before it, if it belongs to a command
	texts   []string       // the text that each row inserts
	// closed is the word at which the list was closed.
	closed     CompletionWord
	closedArgs commandArgs

	files     []string
	asOf      time.Time // of files
	lookingUp bool
	symbols   map[string][]SymbolSuggestion // by the typed text
	argValues []string                      // values of the argument after valuesFor
	valuesFor commandArgs                   // without a command before the first lookup
}

// NewCompletions returns a closed list.
func NewCompletions(st *Styles, keys KeyMap, sources CompletionSources) *Completions {
	return &Completions{Menu: NewMenu(st, ""), keys: keys, sources: sources}
}

// Follow shows the completions of the last word of before, the text before the cursor. If covered,
// another list is open and it shows none.
func (o *Completions) Follow(before string, covered bool) {
	word, ok := CompletionWordAt(before)
	var args commandArgs
	if !ok {
		word, args, ok = o.argumentAt(before)
	}
	switch {
	case !ok || covered || word.Prefix == FilePrefix && o.sources.Files == nil || word.Prefix == SymbolPrefix && o.sources.Symbols == nil:
		o.word, o.valuesFor = CompletionWord{}, commandArgs{} // look them up again: they may have changed
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
		o.showArgValues()
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
		return // keep the current rows until the lookup returns
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

// Replacement replaces the given number of letters before the cursor with Text.
type Replacement struct {
	Letters int
	Text    string
}

// Press handles a key while the list is open, and reports whether it was a key of the list. The
// caller inserts a Replacement with a text. Enter is not handled if the word is complete, or if it is
// an empty argument, because it then sends the message.
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

// NextLookup returns the next lookup, which may run in another goroutine, or nil. It returns no other
// until Apply got the result.
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
	case o.word.Prefix == wordPrefix && o.valuesFor != o.args:
		args := o.args
		complete := o.sources.CompleteArgs(args.command)
		lookUp = func() LookupResult {
			var found []string
			if complete != nil {
				found = complete(args.written)
			}
			return func(o *Completions) { o.setArgValues(args, found) }
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
	// Drop names with control characters: sanitized, they look like other names.
	o.files = slices.DeleteFunc(paths, func(path string) bool { return markdown.SanitizeLine(path) != path })
	o.asOf = o.sources.Now()
	if o.word.Prefix == FilePrefix {
		o.show()
	}
}

func (o *Completions) setSymbols(typed string, symbols []SymbolSuggestion) {
	if len(o.symbols) > 100 || o.symbols == nil {
		o.symbols = map[string][]SymbolSuggestion{} // limit the size of the cache
	}
	o.symbols[typed] = symbols
	if o.word.Prefix == SymbolPrefix {
		o.show()
	}
}

// wordPrefix marks an argument of a command, which has no prefix.
const wordPrefix = '/'

// commandArgs are a command and its complete arguments, separated by single blanks.
type commandArgs struct{ command, written string }

// argumentAt returns the last argument in before, the text before the cursor, if its command has
// completions. The argument may be empty.
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

func (o *Completions) setArgValues(args commandArgs, values []string) {
	// Drop values with control characters: sanitized, they look like other values.
	drawn := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == "" || markdown.SanitizeLine(value) != value })
	o.valuesFor, o.argValues = args, drawn
	if o.word.Prefix == wordPrefix {
		o.show()
	}
}

// showArgValues lists the completions of an argument.
func (o *Completions) showArgValues() {
	if o.valuesFor != o.args {
		o.setRows(nil, nil)
		return
	}
	found := matchingValues(o.argValues, o.word.Text)
	rows := make([]MenuRow, len(found))
	for i, word := range found {
		rows[i] = MenuRow{Label: word}
	}
	o.setRows(rows, found)
}

// maxCompletions is the maximum number of listed files or argument values.
const maxCompletions = 100

// matchingFiles returns the paths that contain typed, ignoring case: first those whose name starts
// with it, then those that start with it, then the others. In each group, paths of fewer folders
// come first.
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

// matchingValues returns the values that contain typed, ignoring case: first the value itself, then
// values that start with it, then the others, otherwise in their order.
func matchingValues(values []string, typed string) []string {
	typed = strings.ToLower(typed)
	rank := func(value string) int {
		switch low := strings.ToLower(value); {
		case low == typed:
			return 0
		case strings.HasPrefix(low, typed):
			return 1
		}
		return 2
	}
	found := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return !strings.Contains(strings.ToLower(value), typed) })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return found[:min(len(found), maxCompletions)]
}
