package workflow

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// regroup reads words as a person would who wrote no quotes and no commas: a sum
// and its currency are one value, and so are symbols that follow one another where
// a list is wanted. Quoted words stay what they are.
func regroup(free []Parameter, tokens []argumentToken) []argumentToken {
	var result []argumentToken
	for i, p := range free {
		if len(tokens) == 0 {
			return result
		}
		var next *Parameter
		if i+1 < len(free) {
			next = &free[i+1]
		}
		merged, n := tokens[0], 1
		switch kind, _ := p.Kind(); {
		case len(p.Enum) > 0:
		case kind == KindMoney:
			merged, n = takeMoney(tokens)
		case kind == KindList:
			merged, n = takeList(tokens, next)
		}
		result, tokens = append(result, merged), tokens[n:]
	}
	return append(result, tokens...)
}

// takeMoney takes an amount off the front of words, with the currency that follows it.
func takeMoney(tokens []argumentToken) (argumentToken, int) {
	if len(tokens) < 2 || tokens[0].quoted || tokens[1].quoted || !isCurrency(tokens[1].text) {
		return tokens[0], 1
	}
	if _, err := exactNumber(tokens[0].text); err != nil {
		return tokens[0], 1
	}
	return argumentToken{text: tokens[0].text + " " + tokens[1].text}, 2
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
var plainSymbol = lazyregexp.New(`^\$?\^?[A-Z][A-Z0-9]{0,9}([.\-=][A-Z0-9]{1,6})?,?$`)

// takeList takes the symbols off the front of words, up to one that is for the next
// parameter.
func takeList(tokens []argumentToken, next *Parameter) (argumentToken, int) {
	n := 0
	var items []string
	for _, w := range tokens {
		looks := !w.quoted && (n == 0 && strings.Contains(w.text, ",") || plainSymbol().MatchString(w.text))
		if !looks || n > 0 && next != nil && fitsParameter(*next, w.text) {
			break
		}
		items = append(items, strings.TrimSuffix(w.text, ","))
		n++
	}
	if n < 2 {
		return tokens[0], 1
	}
	return argumentToken{text: strings.Join(items, ", ")}, n
}

func fitsParameter(p Parameter, text string) bool {
	_, err := p.Read(text)
	return err == nil
}
