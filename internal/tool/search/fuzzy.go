package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/usage"
)

const (
	minFuzzyLetters = 4 // shorter words are too similar to one another
	minLongLetters  = 7 // from here on, two mistakes are allowed
	maxFuzzyLetters = 40
	oneMistake      = 0.8 // weights of a word by its distance
	twoMistakes     = 0.6
)

// vocabulary holds the English words of the documents, both as written and as stems: "filngs" is close to
// "filings", but their stems are less similar.
type vocabulary struct {
	spellings []spelling
	seen      map[string]bool // only while the index is built
}

type spelling struct {
	text    string
	letters uint64 // a bit for each letter and digit it contains
	id      int    // of the term that it means
}

// nearTerm is a term that a misspelled word may mean.
type nearTerm struct {
	id     int
	weight float64 // 1 for the word itself
}

func (v *vocabulary) add(w word, id int) {
	if w.spelling == "" {
		return
	}
	if v.seen == nil {
		v.seen = map[string]bool{}
	}
	for _, text := range []string{w.spelling, w.term} {
		if len(text) < minFuzzyLetters-1 || len(text) > maxFuzzyLetters || v.seen[text] {
			continue
		}
		v.seen[text] = true
		v.spellings = append(v.spellings, spelling{text: text, letters: letterSet(text), id: id})
	}
}

// nearest returns the terms at the smallest distance from a misspelled word, in the order in which
// they were added. Only terms that usable accepts count.
func (v *vocabulary) nearest(w word, usable func(id int) bool) []nearTerm {
	allowed := allowedMistakes(w.spelling)
	var out []nearTerm
	for i, text := range []string{w.spelling, w.term} {
		if allowed == 0 || i > 0 && len(text) <= minFuzzyLetters {
			continue
		}
		letters := letterSet(text)
		for _, s := range v.spellings {
			// Each typo may change at most one letter of either word.
			if bits.OnesCount64(letters^s.letters) > 2*allowed || !usable(s.id) {
				continue
			}
			d := usage.Distance(text, s.text, allowed)
			if d > allowed {
				continue
			}
			if d < allowed {
				allowed, out = max(d, 1), nil
			}
			if !slices.ContainsFunc(out, func(t nearTerm) bool { return t.id == s.id }) {
				out = append(out, nearTerm{id: s.id, weight: mistakeWeight(d)})
			}
		}
	}
	return out
}

func allowedMistakes(text string) int {
	switch n := len(text); {
	case n < minFuzzyLetters || n > maxFuzzyLetters:
		return 0
	case n < minLongLetters:
		return 1
	default:
		return 2
	}
}

func mistakeWeight(distance int) float64 {
	if distance <= 1 {
		return oneMistake
	}
	return twoMistakes
}

func letterSet(text string) uint64 {
	var set uint64
	for i := range len(text) {
		set |= 1 << (text[i] % 64)
	}
	return set
}

// Nearest returns up to n known names for a misspelled or invented name: names that share words with
// it or differ by a few letters, the best first, equal ones by name.
func Nearest(name string, known []string, n int) []string {
	type guess struct {
		name  string
		score float64
	}
	words := nameWords(name)
	joined := strings.Join(words, "")
	var guesses []guess
	for _, k := range known {
		knownWords := nameWords(k)
		score := sharedWords(words, knownWords) + alikeness(joined, strings.Join(knownWords, ""))
		if score > 0 && !slices.ContainsFunc(guesses, func(g guess) bool { return g.name == k }) {
			guesses = append(guesses, guess{name: k, score: score})
		}
	}
	slices.SortFunc(guesses, func(a, b guess) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.name, b.name))
	})
	var out []string
	for _, g := range guesses[:max(0, min(n, len(guesses)))] {
		out = append(out, g.name)
	}
	return out
}

// nameWords returns the stems of a tool name without verbs such as "get", unless it has no others.
func nameWords(name string) []string {
	var all, telling []string
	for _, part := range strings.Fields(strings.ToLower(splitName(name))) {
		s := stem(part)
		all = append(all, s)
		switch part {
		case "get", "fetch", "show", "list", "find", "lookup", "query", "tool", "data", "the", "a", "of", "for", "my":
		default:
			telling = append(telling, s)
		}
	}
	if len(telling) == 0 {
		return all
	}
	return telling
}

// sharedWords returns the share of words that two names have in common, from 0 to 1. A misspelled word
// counts less.
func sharedWords(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var shared float64
	for _, x := range a {
		var best float64
		for _, y := range b {
			switch most := allowedMistakes(x); {
			case x == y:
				best = 1
			case most > 0 && len(y) >= minFuzzyLetters-1:
				if d := usage.Distance(x, y, most); d <= most {
					best = max(best, mistakeWeight(d))
				}
			}
		}
		shared += best
	}
	return min(1, 2*shared/float64(len(a)+len(b)))
}

// alikeness returns the share of letters that two names have in common, from 0 to 1, or 0 if it is
// less than two thirds.
func alikeness(a, b string) float64 {
	longer := max(len(a), len(b))
	if longer == 0 || utf8.RuneCountInString(a) < 3 {
		return 0
	}
	most := longer / 3
	d := usage.Distance(a, b, most)
	if d > most {
		return 0
	}
	return 1 - float64(d)/float64(longer)
}
