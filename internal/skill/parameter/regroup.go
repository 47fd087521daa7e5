package parameter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// regroup reads words as a person would who wrote no quotes and no commas: a sum
// and its currency are one value, and so are symbols that follow one another where
// a list is wanted. Quoted words stay what they are.
func regroup(free []Parameter, words []word) []word {
	var out []word
	for i, p := range free {
		if len(words) == 0 {
			return out
		}
		var next *Parameter
		if i+1 < len(free) {
			next = &free[i+1]
		}
		merged, n := words[0], 1
		switch kind, _ := p.Kind(); {
		case len(p.Enum) > 0:
		case kind == KindMoney:
			merged, n = sumOf(words)
		case kind == KindList:
			merged, n = listOf(words, next)
		}
		out, words = append(out, merged), words[n:]
	}
	return append(out, words...)
}

// sumOf takes an amount off the front of words, with the currency that follows it.
func sumOf(words []word) (word, int) {
	if len(words) < 2 || words[0].quoted || words[1].quoted || !isCurrency(words[1].text) {
		return words[0], 1
	}
	if _, err := exactNumber(words[0].text); err != nil {
		return words[0], 1
	}
	return word{text: words[0].text + " " + words[1].text}, 2
}

// isCurrency takes codes in capitals alone: "all" and "try" are words, ALL and TRY
// are money.
func isCurrency(text string) bool {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) && unicode.Is(unicode.Sc, r) {
		return true
	}
	_, err := currency.ParseISO(text)
	return err == nil && text == strings.ToUpper(text)
}

// plainSymbol is stricter than symbolForm, which takes any word.
var plainSymbol = pattern.Lazy(`^\$?\^?[A-Z][A-Z0-9]{0,9}([.\-=][A-Z0-9]{1,6})?,?$`)

// listOf takes the symbols off the front of words, up to one that is for the next
// parameter.
func listOf(words []word, next *Parameter) (word, int) {
	n := 0
	var items []string
	for _, w := range words {
		looks := !w.quoted && (n == 0 && strings.Contains(w.text, ",") || plainSymbol().MatchString(w.text))
		if !looks || n > 0 && next != nil && fits(*next, w.text) {
			break
		}
		items = append(items, strings.TrimSuffix(w.text, ","))
		n++
	}
	if n < 2 {
		return words[0], 1
	}
	return word{text: strings.Join(items, ", ")}, n
}

func fits(p Parameter, text string) bool {
	_, err := p.Read(text)
	return err == nil
}
