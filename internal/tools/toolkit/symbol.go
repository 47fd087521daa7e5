package toolkit

import (
	"slices"
	"sort"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	maxNearMisses    = 3  // near misses named
	MaxListedSymbols = 15 // the whole directory is listed up to this size
)

// suggestSymbols is the next move after an unknown symbol.
func suggestSymbols(instruments []market.Instrument, text string) string {
	var parts []string
	if matches := nearestSymbols(instruments, text); len(matches) > 0 {
		parts = append(parts, "did you mean "+strings.Join(matches, " or ")+"?")
	}
	if n := len(instruments); n > 0 && n <= MaxListedSymbols {
		symbols := make([]string, n)
		for i, k := range instruments {
			symbols[i] = string(k.Symbol)
		}
		parts = append(parts, "available: "+strings.Join(symbols, ", "))
	}
	if len(parts) == 0 {
		return "check the spelling"
	}
	return strings.Join(parts, " ")
}

// nearestSymbols lists the instruments whose symbol is at most two typing errors away,
// or whose name contains the text, closest first.
func nearestSymbols(instruments []market.Instrument, text string) []string {
	query := strings.ToUpper(strings.TrimLeft(strings.TrimSpace(text), "$^"))
	type candidate struct {
		label string
		errs  int
	}
	var candidates []candidate
	for _, k := range instruments {
		errs := editDistance(query, strings.TrimLeft(string(k.Symbol), "^"))
		nameMatches := len(query) >= 3 && strings.Contains(strings.ToUpper(k.Name), query)
		// Two errors in a ticker of three letters is another ticker.
		if nameMatches || errs <= 2 && errs < len(query)-1 {
			candidates = append(candidates, candidate{instrumentLabel(k), errs})
		}
	}
	sort.SliceStable(candidates, func(i, j int) bool { return candidates[i].errs < candidates[j].errs })
	var out []string
	for _, c := range candidates[:min(len(candidates), maxNearMisses)] {
		out = append(out, c.label)
	}
	return out
}

// editDistance is the number of letters inserted, left out, changed or swapped
// with their neighbour (optimal string alignment distance).
func editDistance(a, b string) int {
	beforeLast, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			changed := last[j-1]
			if a[i-1] != b[j-1] {
				changed++
			}
			row[j] = min(last[j]+1, row[j-1]+1, changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], beforeLast[j-2]+1)
			}
		}
		beforeLast, last = last, row
	}
	return last[len(b)]
}

// ParseSymbols lists the symbols of a call once each and in order: those of a list,
// and those of one text, divided by commas.
func ParseSymbols(list []string, text string) []string {
	var out []string
	for _, text := range append(slices.Clone(list), text) {
		for symbol := range strings.SplitSeq(text, ",") {
			symbol = strings.TrimSpace(symbol)
			same := func(have string) bool { return strings.EqualFold(have, symbol) }
			if symbol != "" && !slices.ContainsFunc(out, same) {
				out = append(out, symbol)
			}
		}
	}
	return out
}
