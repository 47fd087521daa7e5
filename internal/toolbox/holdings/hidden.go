package holdings

import (
	"regexp"
	"strings"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// hiddenNote stands in what a model reads where the user keeps amounts to themselves.
const hiddenNote = "amounts are hidden by the user's setting (share_amounts): there are weights, per cents and dates alone; the user sees the sums, so do not ask for them and do not guess them"

// number is a word that is a number and no date.
var number = regexp.MustCompile(`^[-+−]?[0-9][0-9.,]*$`)

// counted are the words that make a number before them a count and no amount.
var counted = regexp.MustCompile(`^(days?|years?|months?|rates|lots?|accounts?|transactions?|of|%)[.,;:)]*$`)

// masked takes the numbers out of a sentence that may tell an amount: dates, per
// cents, ratios and counts of things stay.
func masked(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		bare := strings.Trim(word, `()[]{}",;:`)
		bare = strings.TrimRight(bare, ".,;:)")
		if bare == "" || !number.MatchString(bare) || i+1 < len(words) && counted.MatchString(words[i+1]) {
			continue
		}
		words[i] = strings.Replace(word, bare, "(hidden)", 1)
	}
	return strings.Join(words, " ")
}

func maskedAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = masked(text)
	}
	return out
}

// fitted is an answer as a model gets it, with as many of its n parts as fit.
func fitted(n int, part func(n int) any) (string, error) {
	for {
		text, err := present.Encoded(part(n))
		if err != nil || len(text) <= present.MostEncoded || n == 0 {
			return text, err
		}
		n = n * 3 / 4
	}
}
