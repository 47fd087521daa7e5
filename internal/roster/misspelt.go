package roster

import "strings"

// misspelt recognises a key that may be meant for one that holds an agent back:
// its tools or its model. Ignored, it would set the agent free.
func misspelt(key string) (meant string, ok bool) {
	const furthest = 2
	for _, meant := range []string{"tools", "model"} {
		if distance(strings.ToLower(key), meant) <= furthest {
			return meant, true
		}
	}
	return "", false
}

// distance counts the letters to insert, delete or replace (Levenshtein 1966).
// A key longer than any that could be meant is not compared.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	const longest = 64
	if len(from) > longest {
		return len(from)
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
