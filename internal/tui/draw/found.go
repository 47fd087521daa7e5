package draw

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// Span is a part of a text, in bytes: behind From, before To.
type Span struct{ From, To int }

// Folded is text in lower case, letter by letter, so that each stands where it stood.
func Folded(text string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
			return lower
		}
		return r
	}, text)
}

// Spans are where any of the words stand in a text, in letters of any case, in their
// order and none within another.
func Spans(text string, words []string) []Span {
	folded := Folded(text)
	if len(folded) != len(text) {
		return nil // it is no UTF-8, and nothing stands where it stood
	}
	var all []Span
	for _, word := range words {
		word = Folded(word)
		for from := 0; word != ""; {
			at := strings.Index(folded[from:], word)
			if at < 0 {
				break
			}
			all = append(all, Span{from + at, from + at + len(word)})
			from += at + len(word)
		}
	}
	slices.SortFunc(all, func(a, b Span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	end := 0
	return slices.DeleteFunc(all, func(s Span) bool {
		within := s.From < end
		end = max(end, s.To)
		return within
	})
}

// Around is what fits into width columns of a line of plain text, so that the first of
// the words is in sight, with some of what stands before it. Ellipses say what is left
// out.
func Around(line string, words []string, width int) string {
	spans := Spans(line, words)
	if len(spans) == 0 || ansi.StringWidth(line[:spans[0].To]) <= width-1 {
		return Fit(line, width)
	}
	before := width / 3
	for before > 0 && before+ansi.StringWidth(line[spans[0].From:spans[0].To])+2 > width {
		before--
	}
	// The end of what stands before, cut at a letter.
	head := line[:spans[0].From]
	head = ansi.TruncateLeft(head, max(ansi.StringWidth(head)-before, 0), "")
	return Fit("…"+head+line[spans[0].From:], width)
}

// Marked draws plain text in a style, with its spans marked as found.
func (st *Styles) Marked(style markdown.Style, text string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(style.Apply(text[at:s.From]) + style.With(st.Found).Apply(text[s.From:s.To]))
		at = s.To
	}
	return b.String() + style.Apply(text[at:])
}
