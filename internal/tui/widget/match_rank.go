package widget

import (
	"strings"
	"unicode"
)

// Ranks of a match, best first.
const (
	rankExact     = iota
	rankPrefix    // the name starts with the text
	rankWords     // starts of the name's words, in order: "rp" of retirement-plan
	rankPart      // a part of the name
	rankLetters   // letters of the name, in order: "cht" of chart
	rankAbout     // words of the description
	rankNoMatch   // none
	maxLetterRuns = 3
)

// nameRank returns the rank of a name for the text that the user typed, both in lower case.
func nameRank(name, typed string) int {
	switch {
	case name == typed:
		return rankExact
	case strings.HasPrefix(name, typed):
		return rankPrefix
	case matchesWordStarts(name, typed):
		return rankWords
	case strings.Contains(name, typed):
		return rankPart
	case matchesLetters(name, typed):
		return rankLetters
	}
	return rankNoMatch
}

// textRank returns rankAbout if each typed word starts a word of the text, both in lower case.
func textRank(text, typed string) int {
	words := strings.Fields(typed)
	if len(words) == 0 {
		return rankNoMatch
	}
	for _, word := range words {
		if !startsAWord(text, word) {
			return rankNoMatch
		}
	}
	return rankAbout
}

func startsAWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		if at := from + i; isWordStart(text, at) {
			return true
		}
		from += i + 1
	}
}

// isWordStart reports whether a letter at a byte offset follows no other letter or digit.
func isWordStart(text string, at int) bool {
	if at == 0 {
		return true
	}
	before := rune(text[at-1])
	return before < unicode.MaxASCII && !unicode.IsLetter(before) && !unicode.IsDigit(before)
}

// matchesWordStarts reports whether typed consists of starts of words of name, in order, with the
// first word of typed at a word of name.
func matchesWordStarts(name, typed string) bool {
	if typed == "" {
		return true
	}
	for at := range len(name) {
		if !isWordStart(name, at) {
			continue
		}
		for n := min(len(typed), len(name)-at); n > 0; n-- {
			if name[at:at+n] == typed[:n] && matchesWordStarts(name[at+n:], typed[n:]) {
				return true
			}
		}
	}
	return false
}

// matchesLetters reports whether typed consists of letters of name in order, from its first letter and
// in at most maxLetterRuns pieces: more would match almost anything.
func matchesLetters(name, typed string) bool {
	if name == "" || typed == "" || name[0] != typed[0] {
		return false
	}
	runs := 0
	for at := 0; typed != ""; runs++ {
		i := strings.IndexByte(name[at:], typed[0])
		if i < 0 {
			return false
		}
		at += i
		for typed != "" && at < len(name) && name[at] == typed[0] {
			at, typed = at+1, typed[1:]
		}
	}
	return runs <= maxLetterRuns
}
