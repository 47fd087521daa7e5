// Package offer is what the word at the cursor may become: a path behind "@", a symbol
// behind "$", or what a command knows for its next word. It follows the text before the
// cursor, lists what it knows and says what a chosen row writes. What it does not know
// it asks for with a Job, which takes its time beside the screen.
package offer

import (
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Symbol is something that "$" offers.
type Symbol struct {
	Symbol string // "AAPL", which is written
	Name   string // "Apple Inc."
	Kind   string // one word: "held", "watched", "equity"
}

// Sources are who is asked. Files and Symbols may be nil, which offers none.
type Sources struct {
	Files   func() []string             // the paths of the folder
	Symbols func(typed string) []Symbol // best first
	Words   func(command string) Words  // of a command, nil where it knows none
	Now     func() time.Time            // for how long paths stand
}

// Words gives what may come next behind the arguments that are written to their end,
// best first.
type Words = func(written string) []string

// filesStand is how long the paths of the folder are taken as they were.
const filesStand = 10 * time.Second

// Offers is the list of what there is for the word that is being typed. It is not safe
// for concurrent use; a Job may be done beside it.
type Offers struct {
	menu   *slash.Menu
	from   Sources
	word   draft.Word // what the list is for; no sign where there is none
	behind arguments  // and what it stands behind, where it is a command's
	texts  []string   // what taking a row writes
	// closed is the word at which the list was closed.
	closed       draft.Word
	closedBehind arguments

	files   []string
	asOf    time.Time // of files
	asking  bool
	symbols map[string][]Symbol // by what was typed
	words   []string            // of a command
	known   arguments           // what words may stand behind; no command where nothing was asked
}

// New makes a list that is closed.
func New(st *draw.Styles, from Sources) *Offers {
	return &Offers{menu: slash.NewMenu(st, ""), from: from}
}

// SetStyles changes the theme.
func (o *Offers) SetStyles(st *draw.Styles) { o.menu.SetStyles(st) }

// SetSize gives the list its width and the most rows it may take.
func (o *Offers) SetSize(width, height int) { o.menu.SetSize(width, height) }

// Open reports whether something is offered.
func (o *Offers) Open() bool { return o.menu.Open() }

// Height is the rows that the list wants.
func (o *Offers) Height() int { return o.menu.Height() }

// View draws the list.
func (o *Offers) View() []string { return o.menu.View() }

// Follow offers what the word may become that before, the text before the cursor, ends
// with. Where another list has the place it offers nothing.
func (o *Offers) Follow(before string, covered bool) {
	word, ok := draft.WordAt(before)
	var behind arguments
	if !ok {
		word, behind, ok = o.wordOfCommand(before)
	}
	switch {
	case !ok || covered || word.Sign == draft.FileSign && o.from.Files == nil || word.Sign == draft.SymbolSign && o.from.Symbols == nil:
		o.word, o.known = draft.Word{}, arguments{} // what a command knows may be another then
		o.offer(nil, nil)
		return
	case word == o.closed && behind == o.closedBehind:
		o.offer(nil, nil)
		return
	case word == o.word && behind == o.behind:
		return
	}
	o.closed, o.word, o.behind = draft.Word{}, word, behind
	o.show()
}

// show lists what is known for the word.
func (o *Offers) show() {
	switch o.word.Sign {
	case draft.FileSign:
		o.showFiles()
	case wordSign:
		o.showWords()
	default:
		o.showSymbols()
	}
}

func (o *Offers) showFiles() {
	found := matchingFiles(o.files, o.word.Text)
	rows := make([]slash.Row, len(found))
	texts := make([]string, len(found))
	for i, file := range found {
		rows[i], texts[i] = slash.Row{Label: file}, draft.FileWord(file)
	}
	o.offer(rows, texts)
}

func (o *Offers) showSymbols() {
	symbols, known := o.symbols[o.word.Text]
	if !known && o.asking {
		return // what is shown stands until more is known
	}
	rows := make([]slash.Row, len(symbols))
	texts := make([]string, len(symbols))
	for i, s := range symbols {
		rows[i], texts[i] = slash.Row{Label: s.Symbol, About: s.Name, Kind: s.Kind}, markdown.SanitizeLine(s.Symbol)
	}
	o.offer(rows, texts)
}

func (o *Offers) offer(rows []slash.Row, texts []string) {
	o.menu.Offer(rows)
	o.texts = texts
}

// Close hides the list until the word changes.
func (o *Offers) Close() {
	o.closed, o.closedBehind, o.word = o.word, o.behind, draft.Word{}
	o.offer(nil, nil)
}

// Taken is what a row writes: Text in the place of so many letters before the cursor.
type Taken struct {
	Letters int
	Text    string
}

// Press handles a key, by its name in a list, while something is offered, and reports
// whether it was one of the list's: then a Taken that has a text is to be written. A
// word that is written to its end is left alone, and so is one of a command that is not
// begun: Enter sends.
func (o *Offers) Press(name string) (Taken, bool) {
	switch name {
	case "up", "ctrl+p":
		o.menu.Choose(-1)
	case "down", "ctrl+n":
		o.menu.Choose(+1)
	case "esc":
		o.Close()
	case "tab", "enter":
		text := o.texts[o.menu.Chosen()]
		written := string(o.word.Sign) + o.word.Text
		done := written == text || o.word.Text == text || o.word.Sign == wordSign && o.word.Text == ""
		if name == "enter" && done {
			o.Close()
			return Taken{}, false
		}
		return Taken{Letters: o.word.Len, Text: text + " "}, true
	default:
		return Taken{}, false
	}
	return Taken{}, true
}

// Job asks for what is not known. It is done beside the screen.
type Job struct{ ask func() Found }

// Do asks.
func (j Job) Do() Found { return j.ask() }

// Found is what a Job brings, for Take.
type Found struct{ take func(*Offers) }

// Wanted gives what is to be asked for, one question at a time: what it brings has to be
// taken before there is another.
func (o *Offers) Wanted() (Job, bool) {
	typed := o.word.Text
	_, known := o.symbols[typed]
	var ask func() Found
	switch {
	case o.asking:
	case o.word.Sign == draft.FileSign && o.from.Now().Sub(o.asOf) > filesStand:
		ask = func() Found {
			paths := o.from.Files()
			return Found{func(o *Offers) { o.learnFiles(paths) }}
		}
	case o.word.Sign == draft.SymbolSign && !known:
		ask = func() Found {
			symbols := o.from.Symbols(typed)
			return Found{func(o *Offers) { o.learnSymbols(typed, symbols) }}
		}
	case o.word.Sign == wordSign && o.known != o.behind:
		ask = o.askWords()
	}
	o.asking = o.asking || ask != nil
	return Job{ask}, ask != nil
}

// Take takes in what a Job brought.
func (o *Offers) Take(f Found) {
	o.asking = false
	f.take(o)
}

func (o *Offers) learnFiles(paths []string) {
	// A name that cannot be drawn as it is could not be told from another.
	o.files = slices.DeleteFunc(paths, func(path string) bool { return markdown.SanitizeLine(path) != path })
	o.asOf = o.from.Now()
	if o.word.Sign == draft.FileSign {
		o.show()
	}
}

func (o *Offers) learnSymbols(typed string, symbols []Symbol) {
	if len(o.symbols) > 100 || o.symbols == nil {
		o.symbols = map[string][]Symbol{} // a bound; asking again is cheap
	}
	o.symbols[typed] = symbols
	if o.word.Sign == draft.SymbolSign {
		o.show()
	}
}
