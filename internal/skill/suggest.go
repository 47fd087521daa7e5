package skill

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Complete gives the skills that a person who typed query may mean, best first.
// See Rank.
func (r *Registry) Complete(query string) []Skill {
	return Rank(r.List(), query)
}

// Rank picks the skills that users may start and whose name or display name
// holds query, in any case: exact matches, then prefixes, then the rest, each by
// name, so that the order holds while typing goes on. An empty query picks all.
func Rank(skills []Skill, query string) []Skill {
	query = strings.ToLower(normaliseName(query))
	type match struct {
		skill Skill
		rank  int
	}
	var matches []match
	for _, s := range skills {
		rank := min(closeness(s.Name, query), closeness(s.DisplayName, query))
		if s.UserInvocable && rank < noMatch {
			matches = append(matches, match{s, rank})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.skill.Name, b.skill.Name))
	})
	out := make([]Skill, len(matches))
	for i, m := range matches {
		out[i] = m.skill
	}
	return out
}

const noMatch = 3

func closeness(name, query string) int {
	name = strings.ToLower(name)
	switch {
	case name == query:
		return 0
	case strings.HasPrefix(name, query):
		return 1
	case strings.Contains(name, query):
		return 2
	}
	return noMatch
}

// maxSuggestions is how many names a person wants to choose from.
const maxSuggestions = 3

// Suggest gives the names most like one that was not found, nearest first: a few
// letters apart, or one holding the other. It may be empty.
func (r *Registry) Suggest(name string) []string {
	wanted := strings.ToLower(normaliseName(name))
	type guess struct {
		name     string
		distance int
	}
	var guesses []guess
	for _, s := range r.List() {
		have := strings.ToLower(s.Name)
		d := editDistance(wanted, have)
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

// maxCompared keeps a name of absurd length from costing time.
const maxCompared = 100

// editDistance counts the letters to insert, delete or replace (Levenshtein).
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if len(from) > maxCompared || len(to) > maxCompared {
		return max(len(from), len(to))
	}
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, q := range to {
			replace := diagonal
			if r != q {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
