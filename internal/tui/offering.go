package tui

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Symbol is something that "$" offers.
type Symbol struct {
	Symbol string // "AAPL", which is written
	Name   string // "Apple Inc."
	Kind   string // one word: "held", "watched", "equity"
}

const (
	// filesStand is how long the paths of the folder are taken as they were.
	filesStand = 10 * time.Second
	// mostOffered is how many files are listed.
	mostOffered = 100
)

// offering is the list of files, symbols or words of a command for the word that is
// being typed.
type offering struct {
	menu   *slash.Menu
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

type (
	filesMsg   struct{ paths []string }
	symbolsMsg struct {
		typed   string
		symbols []Symbol
	}
	wordsMsg struct {
		behind arguments
		words  []string
	}
)

// typed follows the composer's text with the completion and the hint.
func (m *Model) typed() {
	text := m.composer.Value()
	m.completion.Follow(text)
	m.followWord()
	m.composer.SetHint(m.hintFor(text))
}

// closeLists takes down what is offered over the line.
func (m *Model) closeLists() {
	m.completion.Close()
	m.offering.close()
	m.queued.Offer(nil)
}

// hintFor is what may follow the command in text: that of the highlighted item
// while the list is open, or of a command that waits for its arguments.
func (m *Model) hintFor(text string) string {
	if m.completion.Open() {
		chosen, _ := m.completion.Current()
		return chosen.Hint
	}
	name, args, ok := slash.Parse(text)
	if !ok || args != "" {
		return ""
	}
	item, _, _ := m.commands.Find(name)
	return item.Hint
}

// followWord offers what the word at the cursor may become.
func (m *Model) followWord() {
	o := &m.offering
	word, ok := draft.WordAt(m.composer.Before())
	var behind arguments
	if !ok {
		word, behind, ok = m.wordOfCommand(m.composer.Before())
	}
	switch {
	case !ok || m.completion.Open() || word.Sign == draft.FileSign && m.cfg.Files == nil || word.Sign == draft.SymbolSign && m.cfg.Symbols == nil:
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
	m.showOffers()
}

// showOffers lists what is known for the word.
func (m *Model) showOffers() {
	o := &m.offering
	if o.word.Sign == draft.FileSign {
		found := matchingFiles(o.files, o.word.Text)
		rows := make([]slash.Row, len(found))
		texts := make([]string, len(found))
		for i, file := range found {
			rows[i], texts[i] = slash.Row{Label: file}, draft.FileWord(file)
		}
		o.offer(rows, texts)
		return
	}
	if o.word.Sign == wordSign {
		m.showWords()
		return
	}
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

func (o *offering) offer(rows []slash.Row, texts []string) {
	o.menu.Offer(rows)
	o.texts = texts
}

// close hides the list until the word changes.
func (o *offering) close() {
	o.closed, o.closedBehind, o.word = o.word, o.behind, draft.Word{}
	o.offer(nil, nil)
}

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
	out := make([]string, min(len(found), mostOffered))
	for i := range out {
		out[i] = found[i].path
	}
	return out
}

// lookUp asks beside the screen for what the word wants and is not known, one
// question at a time.
func (m *Model) lookUp() tea.Cmd {
	o := &m.offering
	typed := o.word.Text
	_, known := o.symbols[typed]
	switch {
	case o.asking:
		return nil
	case o.word.Sign == draft.FileSign && m.cfg.Now().Sub(o.asOf) > filesStand:
		o.asking = true
		return func() tea.Msg { return filesMsg{m.cfg.Files()} }
	case o.word.Sign == draft.SymbolSign && !known:
		o.asking = true
		return func() tea.Msg { return symbolsMsg{typed, m.cfg.Symbols(typed)} }
	case o.word.Sign == wordSign && o.known != o.behind:
		o.asking = true
		return m.askWords()
	}
	return nil
}

func (m *Model) learnFiles(msg filesMsg) {
	o := &m.offering
	// A name that cannot be drawn as it is could not be told from another.
	drawn := slices.DeleteFunc(msg.paths, func(path string) bool { return markdown.SanitizeLine(path) != path })
	o.asking, o.files, o.asOf = false, drawn, m.cfg.Now()
	if o.word.Sign == draft.FileSign {
		m.showOffers()
	}
}

func (m *Model) learnSymbols(msg symbolsMsg) {
	o := &m.offering
	if o.asking = false; len(o.symbols) > 100 || o.symbols == nil {
		o.symbols = map[string][]Symbol{} // a bound; asking again is cheap
	}
	o.symbols[msg.typed] = msg.symbols
	if o.word.Sign == draft.SymbolSign {
		m.showOffers()
	}
}

// offerKey handles a key, by its name in a list, while something is offered. A word
// that is written to its end is left alone, and so is one of a command that is not
// begun: Enter sends.
func (m *Model) offerKey(name string) bool {
	o := &m.offering
	switch name {
	case "up", "ctrl+p":
		o.menu.Choose(-1)
	case "down", "ctrl+n":
		o.menu.Choose(+1)
	case "esc":
		o.close()
	case "tab", "enter":
		text := o.texts[o.menu.Chosen()]
		written := string(o.word.Sign) + o.word.Text
		done := written == text || o.word.Text == text || o.word.Sign == wordSign && o.word.Text == ""
		if name == "enter" && done {
			o.close()
			return false
		}
		m.composer.Replace(o.word.Len, text+" ")
		m.typed()
	default:
		return false
	}
	return true
}
