package toolkit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findExempt is where the first of the texts to spare stands in text, and which of
// those that stand there is the longest; the length of text where there is none.
func findExempt(text string, exemptions []string) (at int, match string) {
	at = len(text)
	for _, s := range exemptions {
		if !canBeExempt(s) {
			continue
		}
		if i := indexStandalone(text, s); i >= 0 && (i < at || i == at && len(s) > len(match)) {
			at, match = i, s
		}
	}
	return at, match
}

// canBeExempt reports whether a text has a number and cannot be mistaken for an amount.
func canBeExempt(s string) bool {
	return strings.ContainsFunc(s, unicode.IsNumber) && strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || r == ':' })
}

// indexStandalone is where s first stands in text with nothing that it could be a part of, -1
// where it does not.
func indexStandalone(text, s string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], s)
		if i < 0 {
			return -1
		}
		i += from
		if hasLeftBoundary(text[:i], s) && hasRightBoundary(text[i+len(s):], s) {
			return i
		}
		from = i + 1
	}
}

// hasLeftBoundary reports whether s is no part of what is before it. What may divide the digits
// of a number does not divide one number from another.
func hasLeftBoundary(before, s string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	if begin, _ := utf8.DecodeRuneInString(s); size == 0 || !isWordRune(begin) {
		return true
	}
	beforeLast, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !isJoiner(last) && !(isNumericOnly(s) && unicode.IsNumber(beforeLast) && isDigitSeparator(last))
}

func hasRightBoundary(after, s string) bool {
	first, size := utf8.DecodeRuneInString(after)
	if end, _ := utf8.DecodeLastRuneInString(s); size == 0 || !isWordRune(end) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after[size:])
	if strings.ContainsRune(".,-:'", first) && !isWordRune(next) {
		return true // the end of a sentence or of a part of it
	}
	return !isJoiner(first) && !(isNumericOnly(s) && unicode.IsNumber(next) && isDigitSeparator(first))
}

// isJoiner reports what a longer word or number may go on with.
func isJoiner(r rune) bool {
	return r == utf8.RuneError || isWordRune(r) || strings.ContainsRune(".,:'’_-+−±/", r) || unicode.In(r, unicode.Sc, unicode.Cf, unicode.Mn)
}

// isNumericOnly reports a text of digits and what divides them, as a ratio is.
func isNumericOnly(s string) bool { return !strings.ContainsFunc(s, unicode.IsLetter) }
