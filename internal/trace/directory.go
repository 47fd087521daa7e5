package trace

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Instruments are the instruments that a text may name.
type Instruments interface {
	HasSymbol(symbol string) bool
	// Named returns names by symbol: all names that start with the letters of a word or with a Chinese
	// character, and possibly others.
	Named(word string) map[string][]string
}

// Directory finds the symbols that a text names: Apple is AAPL. It is safe for concurrent use.
type Directory struct {
	instruments Instruments

	mu       sync.Mutex
	symbols  map[string]bool       // the symbols that were looked up
	starting map[string]*nameTable // names by their first word or Chinese character
}

// nameTable finds symbols by name.
type nameTable struct {
	byName  map[string][]string // by the words of the name, in lower case
	longest map[string]int      // number of words of the longest name, by its first word
	han     map[rune][]string   // Chinese names by their first character, the longest first
}

// maxNameWords is the maximum number of words in a name.
const maxNameWords = 4

// commonWords are names of companies that are ordinary words where figures are discussed.
const commonWords = "target visa gap block match shell key ally progressive general public national american global capital growth value income total annual market cash " +
	"energy international united first new the best on all now well fox ball team trade trading dollar euro gold oil index fund bond equity stock price share returns return " +
	"margin sales profit balance gross net high low open close volume average us china japan europe world emerging technology financial health consumer industrial utilities materials " +
	"federal reserve treasury standard service services group holdings trust bank insurance real estate realty short long range regions sun snap unity square wise affirm chart figure figures"

// NewDirectory returns a directory of instruments. It looks them up when a text may name them.
func NewDirectory(instruments Instruments) *Directory {
	return &Directory{instruments: instruments, symbols: map[string]bool{}, starting: map[string]*nameTable{}}
}

func (d *Directory) hasSymbol(symbol string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	has, known := d.symbols[symbol]
	if !known {
		has = d.instruments.HasSymbol(symbol)
		d.symbols[symbol] = has
	}
	return has
}

// namesFrom returns a table with all names that start with a word, and possibly others.
func (d *Directory) namesFrom(word string) *nameTable {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.starting[word] == nil {
		d.starting[word] = newNameTable(d.instruments.Named(word))
	}
	return d.starting[word]
}

func newNameTable(names map[string][]string) *nameTable {
	t := &nameTable{byName: map[string][]string{}, longest: map[string]int{}, han: map[rune][]string{}}
	for symbol, list := range names {
		for _, name := range list {
			t.add(name, symbol)
		}
	}
	for _, list := range t.han {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return t
}

func (t *nameTable) add(name, symbol string) {
	if isHan(name) {
		if r, _ := utf8.DecodeRuneInString(name); !slices.Contains(t.han[r], name) {
			t.han[r] = append(t.han[r], name)
		}
		t.byName[name] = append(t.byName[name], symbol)
		return
	}
	words := wordsIn(name)
	for len(words) > 1 && isOneOf(words[len(words)-1].text, "inc corp corporation co company plc ltd limited sa se ag nv spa group holding the index fund trust etf com incorporated") {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || len(words) > maxNameWords || len(words) == 1 && (isOneOf(words[0].text, commonWords) || len(words[0].text) < 3) {
		return
	}
	key := joinWords(words)
	if !slices.Contains(t.byName[key], symbol) {
		t.byName[key] = append(t.byName[key], symbol)
	}
	t.longest[words[0].text] = max(t.longest[words[0].text], len(words))
}

// nameAt returns the symbols of the longest name at the start of the words, and how many words it
// has. Names begin with a capital.
func (d *Directory) nameAt(text string, words []word) ([]string, int) {
	if d == nil || !unicode.IsUpper(rune(text[words[0].start])) && !isDigit(text[words[0].start]) {
		return nil, 0
	}
	first := words[0].text
	names := d.namesFrom(strings.TrimSuffix(first, "y")) // of "industry" or "industries"
	for n := min(names.longest[first], len(words)); n > 0; n-- {
		if symbols := names.byName[joinWords(words[:n])]; symbols != nil {
			return symbols, n
		}
	}
	return nil, 0
}

// hanNameAt returns the symbols of the longest Chinese name at the start of a text, and its length.
func (d *Directory) hanNameAt(text string) ([]string, int) {
	if d == nil {
		return nil, 0
	}
	r, _ := utf8.DecodeRuneInString(text)
	names := d.namesFrom(string(r))
	for _, name := range names.han[r] {
		if strings.HasPrefix(text, name) {
			return names.byName[name], len(name)
		}
	}
	return nil, 0
}

func joinWords(words []word) string {
	if len(words) == 1 {
		return words[0].text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}
