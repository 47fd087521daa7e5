package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// MatchSpan is a byte range of a text. To is exclusive.
type MatchSpan struct{ From, To int }

// FoldCase returns text in lower case, letter by letter, so that every letter keeps its byte
// offset.
func FoldCase(text string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
			return lower
		}
		return r
	}, text)
}

// FindSpans returns where the words occur in a text, ignoring case, in order and without overlaps.
func FindSpans(text string, words []string) []MatchSpan {
	folded := FoldCase(text)
	if len(folded) != len(text) {
		return nil // not UTF-8: the offsets differ
	}
	var all []MatchSpan
	for _, word := range words {
		word = FoldCase(word)
		for from := 0; word != ""; {
			at := strings.Index(folded[from:], word)
			if at < 0 {
				break
			}
			all = append(all, MatchSpan{from + at, from + at + len(word)})
			from += at + len(word)
		}
	}
	slices.SortFunc(all, func(a, b MatchSpan) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	end := 0
	return slices.DeleteFunc(all, func(s MatchSpan) bool {
		within := s.From < end
		end = max(end, s.To)
		return within
	})
}

// ClipAroundMatch cuts a line of plain text to width columns so that the first of the words is
// visible, with some text before it. Ellipses mark what was cut.
func ClipAroundMatch(line string, words []string, width int) string {
	spans := FindSpans(line, words)
	if len(spans) == 0 || ansi.StringWidth(line[:spans[0].To]) <= width-1 {
		return FitLine(line, width)
	}
	before := width / 3
	for before > 0 && before+ansi.StringWidth(line[spans[0].From:spans[0].To])+2 > width {
		before--
	}
	// Keep the end of the text before the match.
	head := line[:spans[0].From]
	head = ansi.TruncateLeft(head, max(ansi.StringWidth(head)-before, 0), "")
	return FitLine("…"+head+line[spans[0].From:], width)
}

// HighlightSpans draws plain text in a style, with its spans highlighted.
func (st *Styles) HighlightSpans(style markdown.Style, text string, spans []MatchSpan) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(style.Apply(text[at:s.From]) + style.With(st.Match).Apply(text[s.From:s.To]))
		at = s.To
	}
	return b.String() + style.Apply(text[at:])
}
