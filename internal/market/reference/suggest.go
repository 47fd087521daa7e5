package reference

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/usage"
)

// maxSuggestions is the maximum number of near misses that an error lists.
const maxSuggestions = 5

// suggestions returns possible meanings of a text without a match: symbols that start with it
// (BRK), then symbols and names with a typing mistake, then names that share its words.
func (ix *symbolIndex) suggestions(text string) []int {
	q := parseLookup(text)
	if q.key == "" {
		return nil
	}
	found := ix.search(text, maxSuggestions)
	begin := slices.IndexFunc(found, func(place int) bool { return ix.entries()[place].rank(q) > rankPrefix })
	if begin < 0 {
		begin = len(found)
	}
	var out []int
	for _, place := range slices.Concat(found[:begin], ix.nearMisses(q), found[begin:]) {
		if len(out) < maxSuggestions && !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}

// nearMisses returns the instruments with a small edit distance to the query, nearest first.
func (ix *symbolIndex) nearMisses(q lookup) []int {
	type slip struct{ place, distance int }
	var misses []slip
	entries := ix.entries()
	for i := range entries {
		if d, ok := entries[i].distance(q); ok {
			misses = append(misses, slip{i, d})
		}
	}
	slices.SortStableFunc(misses, func(a, b slip) int { return cmp.Compare(a.distance, b.distance) })
	var out []int
	for _, s := range misses {
		out = append(out, s.place)
	}
	return out
}

// distance returns the smallest distance to the symbol and the names, and false if all are too far.
func (e *symbolEntry) distance(q lookup) (int, bool) {
	best, found := 0, false
	try := func(candidate, query string) {
		limit := maxDistance(query)
		if d := usage.Distance(candidate, query, limit); d <= limit && (!found || d < best) {
			best, found = d, true
		}
	}
	if q.symbol != "" {
		try(string(e.listed.Symbol), q.symbol)
		try(e.ticker, q.symbol)
	}
	for _, k := range e.keys {
		try(k, q.key)
	}
	return best, found
}

// maxDistance returns the number of typing mistakes allowed for a text. Short texts allow none, because any
// text of two letters is one letter away from many others.
func maxDistance(text string) int {
	switch n := utf8.RuneCountInString(text); {
	case n < 3:
		return 0
	case n < 7:
		return 1
	default:
		return 2
	}
}
