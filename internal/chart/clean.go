package chart

import (
	"slices"
	"strings"
	"unicode"
)

// CleanText makes outside text safe for one line: it removes control characters and characters
// that reorder or hide text, and truncates long text.
func CleanText(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Zs):
			return ' '
		// A selector would widen the letter before it, whatever that is.
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Variation_Selector):
			return -1
		}
		return r
	}, truncateText(text)))
}

// Heading returns the title and the unit of the figures, both clean.
func (s Spec) Heading() (title, about string) {
	title = CleanText(s.Title)
	if title == "" && len(s.Series) == 1 {
		title = CleanText(s.Series[0].Name)
	}
	if s.Kind == KindCompare {
		return title, "rebased to 100"
	}
	return title, CleanText(s.Unit)
}

func joinNonEmpty(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}
