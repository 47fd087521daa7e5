package usage

import "strings"

// maxWordLength limits the work for very long words.
const maxWordLength = 100

// Distance returns the Levenshtein distance: the number of letters to insert, delete or replace to
// make b of a. Words of more than a hundred letters are not compared; their distance is the length
// of the longer one.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	if len(from) > maxWordLength || len(to) > maxWordLength {
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
			replaced := diagonal
			if r != q {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}

// DidYouMean returns a question with the closest known word, or a list of all words if none is
// close. It returns "" if there are no known words.
func DidYouMean(word string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	best, distance := "", 0
	for _, k := range known {
		if d := Distance(word, k); best == "" || d < distance {
			best, distance = k, d
		}
	}
	if distance <= max(2, len(best)/2) {
		return "did you mean " + best + "?"
	}
	return "known: " + strings.Join(known, ", ")
}
