package symbology

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	// longestText is what is read of a text: longer ones name nothing.
	longestText = 100
	usualLimit  = 10
)

// How well an instrument fits a text, best first.
const (
	fitsExactly = iota // its symbol, or a number in a register
	fitsTicker         // its symbol but for the suffix of the exchange
	fitsName           // its name or an alias
	fitsPrefix         // its symbol begins so
	fitsFirst          // words of its name, from the first on
	fitsWords          // words of its name
	fitsNot
)

// Search finds instruments: that of an exact symbol, ISIN or CIK first, then those
// whose symbol begins so, then those whose names have the words or beginnings of
// them; case and accents do not matter. Among equals large companies come first.
// At most limit are given, ten where it is not positive. Nothing found is no error.
func (t *Table) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	ix, err := t.index(ctx)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = usualLimit
	}
	var out []market.Instrument
	if pair, ok := ix.pair(text); ok {
		out = append(out, pair)
	}
	for _, place := range ix.search(text, limit) {
		if e := &ix.entries[place]; len(out) < limit && (len(out) == 0 || out[0].Symbol != e.found.Symbol) {
			out = append(out, e.instrument())
		}
	}
	return out, nil
}

func (ix *index) search(text string, limit int) []int {
	q := ask(text)
	if q.key == "" && q.symbol == "" {
		return nil
	}
	type hit struct{ place, fit int }
	var hits []hit
	for i := range ix.entries {
		if fit := ix.entries[i].fit(q); fit != fitsNot {
			hits = append(hits, hit{i, fit})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.fit, b.fit) })
	var out []int
	for _, h := range hits[:min(len(hits), limit)] {
		out = append(out, h.place)
	}
	return out
}

// question is a text in the ways in which it may be meant.
type question struct {
	symbol string // empty where it cannot be one
	number string // an ISIN or a CIK, as the table writes it; may be empty
	words  []string
	key    string
}

func ask(text string) question {
	if len(text) > longestText {
		return question{}
	}
	q := question{words: words(text), number: number(text)}
	q.key = key(q.words)
	if sym, err := market.ParseSymbol(text); err == nil {
		q.symbol = string(sym)
	}
	return q
}

// number reads a text as a number of a register.
func number(text string) string {
	if isin, err := ParseISIN(text); err == nil {
		return string(isin)
	}
	digits := strings.TrimSpace(text)
	if tail, ok := strings.CutPrefix(strings.ToUpper(digits), "CIK"); ok {
		digits = strings.TrimSpace(tail)
	} else if len(digits) != 10 {
		return "" // a shorter number is a symbol, of Tokyo or Hong Kong
	}
	if digits == "" || len(digits) > 10 || strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	return strings.Repeat("0", 10-len(digits)) + digits
}

func (e *entry) fit(q question) int {
	switch {
	case q.symbol != "" && q.symbol == string(e.found.Symbol), q.number != "" && (q.number == e.found.ISIN || q.number == e.found.CIK):
		return fitsExactly
	case q.symbol != "" && q.symbol == e.ticker:
		return fitsTicker
	case q.key == "":
		return fitsNot // a caret or a dot alone
	case slices.Contains(e.keys, q.key):
		return fitsName
	case q.symbol != "" && (strings.HasPrefix(string(e.found.Symbol), q.symbol) || strings.HasPrefix(string(e.found.Symbol), "^"+q.symbol)):
		return fitsPrefix
	case !e.hasWords(q.words):
		return fitsNot
	case strings.HasPrefix(e.words[0], q.words[0]):
		return fitsFirst
	default:
		return fitsWords
	}
}

// hasWords reports whether each of the words begins one of the names'.
func (e *entry) hasWords(asked []string) bool {
	for _, w := range asked {
		if !slices.ContainsFunc(e.words, func(have string) bool { return strings.HasPrefix(have, w) }) {
			return false
		}
	}
	return len(asked) > 0
}
