package reference

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	// maxQueryLen limits the query; longer text matches nothing.
	maxQueryLen  = 100
	defaultLimit = 10
)

// Ranks of a match, best first.
const (
	rankExact      = iota // symbol, ISIN or CIK
	rankTicker            // symbol without the suffix of the exchange
	rankName              // name or alias
	rankListing           // another listing or class of a match
	rankPrefix            // symbol prefix
	rankFirstWords        // the first words of the name
	rankWords             // words of the name
	rankNone
)

// Search finds instruments: exact symbol, ISIN or CIK first, then symbols with the prefix, then
// names with the words or prefixes; it ignores case and accents. Larger companies come first among
// equals. It returns at most limit, or ten if limit is not positive. An empty result is not an
// error.
func (t *SymbolTable) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ix := builtinIndex()
	if limit <= 0 {
		limit = defaultLimit
	}
	var out []market.Instrument
	if pair, ok := ix.pair(text); ok {
		out = append(out, pair)
	}
	for _, place := range ix.search(text, limit) {
		if e := &ix.entries()[place]; len(out) < limit && (len(out) == 0 || out[0].Symbol != e.listed.Symbol) {
			out = append(out, e.instrument())
		}
	}
	return out, nil
}

func (ix *symbolIndex) search(text string, limit int) []int {
	q := parseLookup(text)
	if q.key == "" && q.symbol == "" {
		return nil
	}
	entries := ix.entries()
	fits := make([]int, len(entries))
	for i := range entries {
		fits[i] = entries[i].rank(q)
	}
	for _, named := range ix.byName(q.key) {
		for _, other := range ix.byName(entries[named].bare) {
			fits[other] = min(fits[other], rankListing)
		}
	}
	var out []int
	for i, fit := range fits {
		if fit != rankNone {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(fits[a], fits[b]) })
	return out[:min(len(out), limit)]
}

// lookup holds the possible meanings of a query.
type lookup struct {
	symbol string // empty if the query cannot be a symbol
	number string // an ISIN or a CIK as in the table; may be empty
	words  []string
	key    string
}

func parseLookup(text string) lookup {
	if len(text) > maxQueryLen {
		return lookup{}
	}
	q := lookup{words: splitWords(text), number: registerNumber(text)}
	q.key = nameKey(q.words)
	if sym, err := market.ParseSymbol(text); err == nil {
		q.symbol = string(sym)
	}
	return q
}

// registerNumber parses an ISIN or a CIK, and returns "" for other text.
func registerNumber(text string) string {
	if isin, err := ParseISIN(text); err == nil {
		return string(isin)
	}
	digits := strings.TrimSpace(text)
	if tail, ok := strings.CutPrefix(strings.ToUpper(digits), "CIK"); ok {
		digits = strings.TrimSpace(tail)
	} else if len(digits) != 10 {
		return "" // shorter numbers are symbols, of Tokyo or Hong Kong
	}
	if digits == "" || len(digits) > 10 || strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	return strings.Repeat("0", 10-len(digits)) + digits
}

func (e *symbolEntry) rank(q lookup) int {
	switch {
	case q.symbol != "" && q.symbol == string(e.listed.Symbol), q.number != "" && (q.number == e.listed.ISIN || q.number == e.listed.CIK):
		return rankExact
	case q.symbol != "" && q.symbol == e.ticker:
		return rankTicker
	case q.key == "":
		return rankNone // only a caret or a dot
	case slices.Contains(e.keys, q.key):
		return rankName
	case q.symbol != "" && (strings.HasPrefix(string(e.listed.Symbol), q.symbol) || strings.HasPrefix(string(e.listed.Symbol), "^"+q.symbol)):
		return rankPrefix
	case !e.hasWords(q.words):
		return rankNone
	case strings.HasPrefix(e.words[0], q.words[0]):
		return rankFirstWords
	default:
		return rankWords
	}
}

// hasWords reports whether each word of the query is a prefix of a word in a name or, in a script without
// spaces, part of a name.
func (e *symbolEntry) hasWords(query []string) bool {
	for _, w := range query {
		fits := strings.HasPrefix
		if first, size := utf8.DecodeRuneInString(w); isIdeograph(first) && len(w) > size {
			fits = strings.Contains
		}
		if !slices.ContainsFunc(e.words, func(have string) bool { return fits(have, w) }) {
			return false
		}
	}
	return len(query) > 0
}
