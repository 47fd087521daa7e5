package skill

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/usage"
)

// maxSuggestions is how many names a person wants to choose from.
const maxSuggestions = 3

// maxNameDistance is more than any suggestion may differ: names that hold one another are sorted by
// their distance too.
const maxNameDistance = 100

// Suggest gives the names most like one that was not found, nearest first: a few
// letters apart, or one holding the other. It may be empty.
func (r *Registry) Suggest(name string) []string {
	wanted := strings.ToLower(CanonicalName(name))
	type guess struct {
		name     string
		distance int
	}
	var guesses []guess
	for _, s := range r.List() {
		have := strings.ToLower(s.Name)
		d := usage.Distance(wanted, have, maxNameDistance)
		shorter, longer := wanted, have
		if len(shorter) > len(longer) {
			shorter, longer = longer, shorter
		}
		contained := len(shorter) >= 3 && strings.Contains(longer, shorter)
		if contained || d <= max(2, utf8.RuneCountInString(have)/4) {
			guesses = append(guesses, guess{s.Name, d})
		}
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, g := range guesses[:min(len(guesses), maxSuggestions)] {
		names = append(names, g.name)
	}
	return names
}
