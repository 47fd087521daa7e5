package humanize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence returns the text of an error as a sentence. The name of a tool, an argument or a file at its
// start keeps its spelling.
func Sentence(text string) string {
	if text == "" {
		return ""
	}
	if word, _, _ := strings.Cut(text, " "); !strings.ContainsAny(word, "_/.:") {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}
