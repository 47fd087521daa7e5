package workflow

import (
	"slices"
	"strings"
)

// suggestion says which of the known names was probably meant, or else which
// there are; "" where there is none at all.
func suggestion(written string, known []string) string {
	const most = 8
	if near, ok := nearestName(written, known); ok {
		return "; did you mean " + near + "?"
	}
	switch {
	case len(known) == 0:
		return ""
	case len(known) > most:
		return "; there are: " + strings.Join(known[:most], ", ") + " and others"
	}
	return "; there are: " + strings.Join(known, ", ")
}

// nearestName gives the name that differs from the written one in a single place and
// least. That covers the slips people make: a letter too many, too few, wrong,
// or two swapped; case, and blanks around a name.
func nearestName(written string, known []string) (string, bool) {
	const longest = 200 // a list longer than that nobody wrote by hand
	best, smallest := "", 3
	for _, name := range known[:min(len(known), longest)] {
		if d := differenceLength(normalizeName(written), normalizeName(name)); d < min(smallest, len(name)/2+1) {
			best, smallest = name, d
		}
	}
	return best, best != ""
}

func normalizeName(name string) string {
	return strings.NewReplacer("-", "_", " ", "").Replace(strings.ToLower(name))
}

// differenceLength is the length of what is left of the longer text when all that
// both begin with and end in is taken away.
func differenceLength(a, b string) int {
	from, to := []rune(a), []rune(b)
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	slices.Reverse(from)
	slices.Reverse(to)
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return max(len(from), len(to))
}
