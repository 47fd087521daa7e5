package trace

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Directory finds the symbols that a text names: Apple is AAPL. It does not change once it is made.
type Directory struct {
	symbols map[string]bool
	byName  map[string][]string // by the words of the name, in lower case
	longest map[string]int      // number of words of the longest name, by its first word
	han     map[rune][]string   // Chinese names by their first character, the longest first
}

// maxNameWords is the number of words of the longest name that is looked for.
const maxNameWords = 4

// commonWords are names of companies that are ordinary words where figures are discussed.
const commonWords = "target visa gap block match shell key ally progressive general public national american global capital growth value income total annual market cash " +
	"energy international united first new the best on all now well fox ball team trade trading dollar euro gold oil index fund bond equity stock price share returns return " +
	"margin sales profit balance gross net high low open close volume average us china japan europe world emerging technology financial health consumer industrial utilities materials " +
	"federal reserve treasury standard service services group holdings trust bank insurance real estate realty short long range regions sun snap unity square wise affirm chart figure figures"

// NewDirectory returns a directory of symbols with their names.
func NewDirectory(names map[string][]string) *Directory {
	d := &Directory{symbols: make(map[string]bool, len(names)), byName: make(map[string][]string, 2*len(names)), longest: map[string]int{}, han: map[rune][]string{}}
	for symbol, list := range names {
		d.symbols[symbol] = true
		for _, name := range list {
			d.add(name, symbol)
		}
	}
	for _, list := range d.han {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return d
}

func (d *Directory) add(name, symbol string) {
	if isHan(name) {
		if r, _ := utf8.DecodeRuneInString(name); !slices.Contains(d.han[r], name) {
			d.han[r] = append(d.han[r], name)
		}
		d.byName[name] = append(d.byName[name], symbol)
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
	if !slices.Contains(d.byName[key], symbol) {
		d.byName[key] = append(d.byName[key], symbol)
	}
	d.longest[words[0].text] = max(d.longest[words[0].text], len(words))
}

// nameAt returns the symbols of the longest name at the start of the words, and how many words it
// has. Names begin with a capital.
func (d *Directory) nameAt(text string, words []word) ([]string, int) {
	if d == nil || !unicode.IsUpper(rune(text[words[0].start])) && !isDigit(text[words[0].start]) {
		return nil, 0
	}
	for n := min(d.longest[words[0].text], len(words)); n > 0; n-- {
		if symbols := d.byName[joinWords(words[:n])]; symbols != nil {
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
	for _, name := range d.han[r] {
		if strings.HasPrefix(text, name) {
			return d.byName[name], len(name)
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
