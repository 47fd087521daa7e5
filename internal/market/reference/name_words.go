package reference

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// splitWords splits a name into its words as people type them: lower case, without
// accents, apostrophes, dots and ampersands ("McDonald's" is mcdonalds, "S&P" sp,
// "N.V." nv), and without "and" and "the".
func splitWords(text string) []string {
	folded := strings.Map(foldRune, stripAccents(text))
	var out []string
	for _, w := range strings.Fields(folded) {
		if w != "and" && w != "the" {
			out = append(out, w)
		}
	}
	return out
}

// stripAccents removes accents from letters. Most names have none.
func stripAccents(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return letterReplacer().Replace(norm.NFD.String(text))
		}
	}
	return text
}

// letterReplacer replaces letters that are more than a plain letter with an accent.
func letterReplacer() *strings.Replacer {
	return strings.NewReplacer("ø", "o", "Ø", "O", "æ", "ae", "Æ", "AE", "ß", "ss", "ł", "l", "Ł", "L", "œ", "oe", "Œ", "OE")
}

const dropRune = -1

func foldRune(r rune) rune {
	switch {
	case r == '\'' || r == '’' || r == '.' || r == '&' || unicode.Is(unicode.Mn, r):
		return dropRune
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return unicode.ToLower(r)
	default:
		return ' '
	}
}

// nameKey returns the same key for names with the same meaning.
func nameKey(words []string) string { return strings.Join(words, "") }

// stripLegalForm drops text in parentheses and the legal form: "Alphabet Inc. (class A)" becomes
// alphabet.
func stripLegalForm(name string) []string {
	name, _, _ = strings.Cut(name, "(")
	out := splitWords(name)
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
