package config

import "strings"

// suggest names the key that was meant, or all of them when none is near.
func (l *loader) suggest(key string) string {
	best, distance := "", 0
	keys := make([]string, 0, len(l.settings)+1)
	for _, s := range l.settings {
		keys = append(keys, s.Key)
	}
	keys = append(keys, providersKey)
	for _, known := range keys {
		if d := editDistance(key, known); best == "" || d < distance {
			best, distance = known, d
		}
	}
	if distance <= max(2, len(best)/2) {
		return "did you mean " + best + "?"
	}
	return "known: " + strings.Join(keys, ", ")
}

// editDistance counts the letters to insert, drop or change to make b of a
// (Levenshtein 1966). A key longer than any setting is not compared in full.
func editDistance(a, b string) int {
	const longest = 64
	if len(a) > longest {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
