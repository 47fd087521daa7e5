package widget

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// SymbolSuggestion is something that "$" offers.
type SymbolSuggestion struct {
	Symbol string // "AAPL", which is written
	Name   string // "Apple Inc."
	Kind   string // one word: "held", "watched", "equity"
}

// CompletionSources are who is asked. Files and Symbols may be nil, which offers none.
type CompletionSources struct {
	Files        func() []string                        // the paths of the folder
	Symbols      func(typed string) []SymbolSuggestion  // best first
	CompleteArgs func(command string) ArgumentCompleter // of a command, nil where it knows none
	Now          func() time.Time                       // for how long paths stand
}

// ArgumentCompleter gives what may come next behind the arguments that are written to their end,
// best first.
type ArgumentCompleter = func(written string) []string

// filesMaxAge is how long the paths of the folder are taken as they were.
const filesMaxAge = 10 * time.Second

// Completions is the list of what there is for the word that is being typed. It is not safe
// for concurrent use; a Job may be done beside it.
type Completions struct {
	menu    *Menu
	sources CompletionSources
	word    CompletionWord // what the list is for; no sign where there is none
	args    commandArgs    // and what it stands behind, where it is a command's
	texts   []string       // what taking a row writes
	// closed is the word at which the list was closed.
	closed     CompletionWord
	closedArgs commandArgs

	files     []string
	asOf      time.Time // of files
	lookingUp bool
	symbols   map[string][]SymbolSuggestion // by what was typed
	words     []string                      // of a command
	wordsFor  commandArgs                   // what words may stand behind; no command where nothing was asked
}

// NewCompletions makes a list that is closed.
func NewCompletions(st *Styles, sources CompletionSources) *Completions {
	return &Completions{menu: NewMenu(st, ""), sources: sources}
}

// SetStyles changes the theme.
func (o *Completions) SetStyles(st *Styles) { o.menu.SetStyles(st) }

// SetSize gives the list its width and the most rows it may take.
func (o *Completions) SetSize(width, height int) { o.menu.SetSize(width, height) }

// Open reports whether something is offered.
func (o *Completions) Open() bool { return o.menu.Open() }

// Height is the rows that the list wants.
func (o *Completions) Height() int { return o.menu.Height() }

// View draws the list.
func (o *Completions) View() []string { return o.menu.View() }

// Follow offers what the word may become that before, the text before the cursor, ends
// with. Where another list has the place it offers nothing.
func (o *Completions) Follow(before string, covered bool) {
	word, ok := CompletionWordAt(before)
	var behind commandArgs
	if !ok {
		word, behind, ok = o.argumentAt(before)
	}
	switch {
	case !ok || covered || word.Prefix == FilePrefix && o.sources.Files == nil || word.Prefix == SymbolPrefix && o.sources.Symbols == nil:
		o.word, o.wordsFor = CompletionWord{}, commandArgs{} // what a command knows may be another then
		o.setRows(nil, nil)
		return
	case word == o.closed && behind == o.closedArgs:
		o.setRows(nil, nil)
		return
	case word == o.word && behind == o.args:
		return
	}
	o.closed, o.word, o.args = CompletionWord{}, word, behind
	o.show()
}

// show lists what is known for the word.
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
		return // what is shown stands until more is known
	}
	rows := make([]MenuRow, len(symbols))
	texts := make([]string, len(symbols))
	for i, s := range symbols {
		rows[i], texts[i] = MenuRow{Label: s.Symbol, About: s.Name, Kind: s.Kind}, markdown.SanitizeLine(s.Symbol)
	}
	o.setRows(rows, texts)
}

func (o *Completions) setRows(rows []MenuRow, texts []string) {
	o.menu.SetRows(rows)
	o.texts = texts
}

// Close hides the list until the word changes.
func (o *Completions) Close() {
	o.closed, o.closedArgs, o.word = o.word, o.args, CompletionWord{}
	o.setRows(nil, nil)
}

// Replacement is what a row writes: Text in the place of so many letters before the cursor.
type Replacement struct {
	Letters int
	Text    string
}

// Press handles a key, by its name in a list, while something is offered, and reports
// whether it was one of the list's: then a Taken that has a text is to be written. A
// word that is written to its end is left alone, and so is one of a command that is not
// begun: Enter sends.
func (o *Completions) Press(name string) (Replacement, bool) {
	switch name {
	case "up", "ctrl+p":
		o.menu.Choose(-1)
	case "down", "ctrl+n":
		o.menu.Choose(+1)
	case "esc":
		o.Close()
	case "tab", "enter":
		text := o.texts[o.menu.Chosen()]
		written := string(o.word.Prefix) + o.word.Text
		done := written == text || o.word.Text == text || o.word.Prefix == wordPrefix && o.word.Text == ""
		if name == "enter" && done {
			o.Close()
			return Replacement{}, false
		}
		return Replacement{Letters: o.word.Len, Text: text + " "}, true
	default:
		return Replacement{}, false
	}
	return Replacement{}, true
}

// LookupJob asks for what is not known. It is done beside the screen.
type LookupJob struct{ lookUp func() LookupResult }

// Do asks.
func (j LookupJob) Do() LookupResult { return j.lookUp() }

// LookupResult is what a Job brings, for Take.
type LookupResult struct{ apply func(*Completions) }

// NextLookup gives what is to be asked for, one question at a time: what it brings has to be
// taken before there is another.
func (o *Completions) NextLookup() (LookupJob, bool) {
	typed := o.word.Text
	_, known := o.symbols[typed]
	var ask func() LookupResult
	switch {
	case o.lookingUp:
	case o.word.Prefix == FilePrefix && o.sources.Now().Sub(o.asOf) > filesMaxAge:
		ask = func() LookupResult {
			paths := o.sources.Files()
			return LookupResult{func(o *Completions) { o.setFiles(paths) }}
		}
	case o.word.Prefix == SymbolPrefix && !known:
		ask = func() LookupResult {
			symbols := o.sources.Symbols(typed)
			return LookupResult{func(o *Completions) { o.setSymbols(typed, symbols) }}
		}
	case o.word.Prefix == wordPrefix && o.wordsFor != o.args:
		ask = o.lookUpWords()
	}
	o.lookingUp = o.lookingUp || ask != nil
	return LookupJob{ask}, ask != nil
}

// Apply takes in what a Job brought.
func (o *Completions) Apply(f LookupResult) {
	o.lookingUp = false
	f.apply(o)
}

func (o *Completions) setFiles(paths []string) {
	// A name that cannot be drawn as it is could not be told from another.
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
