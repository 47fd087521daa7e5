package reference

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// splitWords splits a name into words as people type them: in lower case, without accents, apostrophes, dots
// and ampersands ("McDonald's" becomes mcdonalds, "S&P" sp, "N.V." nv), and without the words "and" and
// "the".
func splitWords(text string) []string {
	return strings.Fields(string(appendWords(nil, text, " ")))
}

// appendWords appends the words of splitWords to b, each with a separator after it.
func appendWords(b []byte, text, separator string) []byte {
	start := len(b)
	endWord := func() {
		if word := string(b[start:]); word == "and" || word == "the" {
			b = b[:start]
		} else if word != "" {
			b = append(b, separator...)
		}
		start = len(b)
	}
	for _, r := range stripAccents(text) {
		switch r = foldRune(r); r {
		case dropRune:
		case ' ':
			endWord()
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	endWord()
	return b
}

// stripAccents removes accents from letters. Most names have none.
func stripAccents(text string) string {
	for _, r := range text {
		if r >= 0x80 && !isIdeograph(r) {
			return letterReplacer().Replace(norm.NFD.String(text))
		}
	}
	return text
}

// isIdeograph reports whether a rune is a common Chinese character. These have no accents and no spaces
// between words.
func isIdeograph(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

// letterReplacer replaces letters that are not just a plain letter with an accent.
var letterReplacer = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("ø", "o", "Ø", "O", "æ", "ae", "Æ", "AE", "ß", "ss", "ł", "l", "Ł", "L", "œ", "oe", "Œ", "OE")
})

const dropRune = -1

func foldRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z' || isIdeograph(r):
		return r
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return unicode.ToLower(r)
	case r == '\'' || r == '’' || r == '.' || r == '&' || unicode.Is(unicode.Mn, r):
		return dropRune
	default:
		return ' '
	}
}

// nameKey returns a key that is equal for names that differ only in spaces.
func nameKey(words []string) string { return strings.Join(words, "") }

// stripLegalForm drops text in parentheses and the legal form: "Alphabet Inc. (class A)" becomes
// alphabet.
func stripLegalForm(name string) []string {
	name, _, _ = strings.Cut(name, "(")
	return withoutLegalForm(splitWords(name))
}

func withoutLegalForm(name []string) []string {
	out := name
	for len(out) > 1 && isLegalForm(out) {
		out = out[:len(out)-1]
	}
	return out
}

// isLegalForm reports whether a name ends in a legal form, such as inc; A/S is two words.
func isLegalForm(name []string) bool {
	last := len(name) - 1
	switch name[last] {
	case "inc", "incorporated", "corp", "corporation", "co", "company", "companies", "ltd", "limited", "plc", "llc", "lp",
		"sa", "se", "nv", "ag", "kgaa", "spa", "asa", "ab", "abp", "oyj", "sab", "de", "cv", "kk", "group", "holding", "holdings", "aktiengesellschaft":
		return true
	case "s":
		return last > 1 && name[last-1] == "a"
	case "a":
		return last > 1
	default:
		return false
	}
}
