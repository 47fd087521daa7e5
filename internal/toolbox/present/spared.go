package present

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// firstSpared is where the first of the texts to spare stands in text, and which of
// those that stand there is the longest; the length of text where there is none.
func firstSpared(text string, spared []string) (at int, whole string) {
	at = len(text)
	for _, s := range spared {
		if !sparable(s) {
			continue
		}
		if i := aloneIn(text, s); i >= 0 && (i < at || i == at && len(s) > len(whole)) {
			at, whole = i, s
		}
	}
	return at, whole
}

// sparable reports whether a text can be told from a sum, and has a number at all.
func sparable(s string) bool {
	return strings.ContainsFunc(s, unicode.IsNumber) && strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || r == ':' })
}

// aloneIn is where s first stands in text with nothing that it could be a part of, -1
// where it does not.
func aloneIn(text, s string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], s)
		if i < 0 {
			return -1
		}
		i += from
		if opens(text[:i], s) && closes(text[i+len(s):], s) {
			return i
		}
		from = i + 1
	}
}

// opens reports whether s is no part of what is before it. What may divide the digits
// of a number does not divide one number from another.
func opens(before, s string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	if begin, _ := utf8.DecodeRuneInString(s); size == 0 || !isWord(begin) {
		return true
	}
	ahead, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !joins(last) && !(bare(s) && unicode.IsNumber(ahead) && divides(last))
}

func closes(after, s string) bool {
	first, size := utf8.DecodeRuneInString(after)
	if end, _ := utf8.DecodeLastRuneInString(s); size == 0 || !isWord(end) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after[size:])
	if strings.ContainsRune(".,-:'", first) && !isWord(next) {
		return true // the end of a sentence or of a part of it
	}
	return !joins(first) && !(bare(s) && unicode.IsNumber(next) && divides(first))
}

// joins reports what a longer word or number may go on with.
func joins(r rune) bool {
	return r == utf8.RuneError || isWord(r) || strings.ContainsRune(".,:'’_-+−±/", r) || unicode.In(r, unicode.Sc, unicode.Cf, unicode.Mn)
}

// bare reports a text of digits and what divides them, as a ratio is.
func bare(s string) bool { return !strings.ContainsFunc(s, unicode.IsLetter) }
