package widget

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// maxCompletions is how many files or words are listed.
const maxCompletions = 100

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
	out := make([]string, min(len(found), maxCompletions))
	for i := range out {
		out[i] = found[i].path
	}
	return out
}

// matchingWords are those that hold typed, whatever its case: the word itself, those
// that begin so, the others, each in their order.
func matchingWords(words []string, typed string) []string {
	typed = strings.ToLower(typed)
	rank := func(word string) int {
		switch low := strings.ToLower(word); {
		case low == typed:
			return 0
		case strings.HasPrefix(low, typed):
			return 1
		}
		return 2
	}
	found := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.Contains(strings.ToLower(word), typed) })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return found[:min(len(found), maxCompletions)]
}
