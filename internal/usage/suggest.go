package usage

import (
	"strings"
	"unicode/utf8"
)

// maxWordLength limits the work for very long words.
const maxWordLength = 100

// Distance returns the number of letters to insert, delete, replace or swap with their neighbor to turn a
// into b (optimal string alignment). It returns limit+1 for anything above limit and for words of more than
// 100 letters.
func Distance(a, b string, limit int) int {
	difference := utf8.RuneCountInString(a) - utf8.RuneCountInString(b)
	if max(difference, -difference) > limit {
		return limit + 1
	}
	from, to := []rune(a), []rune(b)
	if max(len(from), len(to)) > maxWordLength {
		return limit + 1
	}
	var rows [3][maxWordLength + 1]int
	for j := range len(to) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(from); i++ {
		row, last, beforeLast := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		smallest := i
		for j := 1; j <= len(to); j++ {
			replaced := last[j-1]
			if from[i-1] != to[j-1] {
				replaced++
			}
			row[j] = min(replaced, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], beforeLast[j-2]+1)
			}
			smallest = min(smallest, row[j])
		}
		if smallest > limit {
			return limit + 1
		}
	}
	return min(rows[len(from)%3][len(to)], limit+1)
}

// DidYouMean returns a question with the closest known word, or a list of all words if none is
// close. It returns "" if there are no known words.
func DidYouMean(word string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	best, distance := "", 0
	for _, k := range known {
		if d := Distance(word, k, maxWordLength); best == "" || d < distance {
			best, distance = k, d
		}
	}
	if distance <= max(2, len(best)/2) {
		return "did you mean " + best + "?"
	}
	return "known: " + strings.Join(known, ", ")
}
