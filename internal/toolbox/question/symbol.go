package question

import (
	"slices"
	"sort"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

const (
	offeredNear = 3  // near misses named
	OfferedAll  = 15 // the whole directory is listed up to this size
)

// offer is the next move after an unknown symbol.
func offer(known []market.Instrument, text string) string {
	var parts []string
	if near := nearest(known, text); len(near) > 0 {
		parts = append(parts, "did you mean "+strings.Join(near, " or ")+"?")
	}
	if n := len(known); n > 0 && n <= OfferedAll {
		symbols := make([]string, n)
		for i, k := range known {
			symbols[i] = string(k.Symbol)
		}
		parts = append(parts, "available: "+strings.Join(symbols, ", "))
	}
	if len(parts) == 0 {
		return "check the spelling"
	}
	return strings.Join(parts, " ")
}

// nearest lists the instruments whose symbol is at most two typing errors away,
// or whose name contains the text, closest first.
func nearest(known []market.Instrument, text string) []string {
	asked := strings.ToUpper(strings.TrimLeft(strings.TrimSpace(text), "$^"))
	type candidate struct {
		label string
		errs  int
	}
	var found []candidate
	for _, k := range known {
		errs := typingErrors(asked, strings.TrimLeft(string(k.Symbol), "^"))
		named := len(asked) >= 3 && strings.Contains(strings.ToUpper(k.Name), asked)
		// Two errors in a ticker of three letters is another ticker.
		if named || errs <= 2 && errs < len(asked)-1 {
			found = append(found, candidate{label(k), errs})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].errs < found[j].errs })
	var out []string
	for _, c := range found[:min(len(found), offeredNear)] {
		out = append(out, c.label)
	}
	return out
}

// typingErrors is the number of letters inserted, left out, changed or swapped
// with their neighbour (optimal string alignment distance).
func typingErrors(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
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
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Symbols lists the symbols of a call once each and in order: those of a list,
// and those of one text, divided by commas.
func Symbols(list []string, text string) []string {
	var out []string
	for _, text := range append(slices.Clone(list), text) {
		for one := range strings.SplitSeq(text, ",") {
			one = strings.TrimSpace(one)
			same := func(have string) bool { return strings.EqualFold(have, one) }
			if one != "" && !slices.ContainsFunc(out, same) {
				out = append(out, one)
			}
		}
	}
	return out
}
