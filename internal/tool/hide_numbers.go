package tool

import "github.com/nfa-cli/nfa/internal/lazyregexp"

// HiddenNumber is written for a number that is hidden from a model.
const HiddenNumber = "(hidden)"

var (
	wordNumbers = lazyregexp.New(`\S*\p{N}\S*`)
	harmless    = lazyregexp.New(`^[(]?(?:(?:19|20|21)\d\d-\d\d-\d\d|[-+]?\d{1,3}(?:\.\d{1,4})?%)[).,;:]*$`)
)

// HideNumbers hides the numbers of a text that may name the user's amounts, but for dates and
// percentages. Nobody can say which of the others are amounts.
func HideNumbers(text string) string {
	return wordNumbers().ReplaceAllStringFunc(text, func(word string) string {
		if harmless().MatchString(word) {
			return word
		}
		return HiddenNumber
	})
}
