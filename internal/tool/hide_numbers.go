package tool

import "github.com/nfa-cli/nfa/internal/lazyregexp"

// HiddenNumber replaces a number that is hidden from the model.
const HiddenNumber = "(hidden)"

var (
	wordNumbers = lazyregexp.New(`\S*\p{N}\S*`)
	harmless    = lazyregexp.New(`^[(]?(?:(?:19|20|21)\d\d-\d\d-\d\d|[-+]?\d{1,3}(?:\.\d{1,4})?%)[).,;:]*$`)
)

// HideNumbers hides all numbers in a text except dates and percentages, because any of them may be
// one of the user's amounts.
func HideNumbers(text string) string {
	return wordNumbers().ReplaceAllStringFunc(text, func(word string) string {
		if harmless().MatchString(word) {
			return word
		}
		return HiddenNumber
	})
}
