package chart

import (
	"slices"
	"strings"
	"unicode"
)

// Clean makes outside text safe to be put in a line: no control character, nothing
// that reorders or hides text, and no more than its bound.
func Clean(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Zs):
			return ' '
		// A selector would widen the letter before it, whatever that is.
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Variation_Selector):
			return -1
		}
		return r
	}, clipped(text)))
}

// Heading is the title, and what the figures are in, both clean.
func (s Spec) Heading() (title, about string) {
	title = Clean(s.Title)
	if title == "" && len(s.Series) == 1 {
		title = Clean(s.Series[0].Name)
	}
	if s.Kind == KindCompare {
		return title, "rebased to 100"
	}
	return title, Clean(s.Unit)
}

func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}
