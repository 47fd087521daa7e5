package usage

import "strings"

// maxWordLength keeps a word of absurd length from costing time.
const maxWordLength = 100

// Distance counts the letters to insert, delete or replace to make b of a
// (Levenshtein 1966). Words of more than a hundred letters are not compared: they
// are as far apart as the longer of both is long.
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

// DidYouMean asks for the known word that was probably meant, or names them all where
// none is near; where there are none it has nothing to say.
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
