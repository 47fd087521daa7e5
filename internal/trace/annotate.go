package trace

import (
	"strconv"
	"strings"
)

// Annotate inserts a mark after every figure in numbers. A mark that would be inside a code span
// follows it. Numbers that do not belong to the text are ignored.
func Annotate(text string, numbers []MatchedNumber, mark func(MatchedNumber) string) string {
	var b strings.Builder
	at := 0
	for _, m := range numbers {
		if m.Start < at || m.End < m.Start || m.End > len(text) || text[m.Start:m.End] != m.Text {
			return text
		}
		end := m.End
		for end < len(text) && text[end] == '`' {
			end++
		}
		b.WriteString(text[at:end])
		b.WriteString(mark(m))
		at = end
	}
	return b.String() + text[at:]
}

// The marks of figures that are not traced. The lines below an answer explain them.
const (
	UntracedMark     = "[?]"
	ContradictedMark = "[≠]"
)

// Superscript returns the mark of a figure for display: ¹ for a traced one. After a bare digit,
// where it would look like a power, it is in brackets: ⁽¹⁾.
func Superscript(m MatchedNumber) string {
	switch m.Status {
	case Untraced:
		return UntracedMark
	case Contradicted:
		return ContradictedMark + superscript(m.Note)
	}
	if m.Text != "" && isDigit(m.Text[len(m.Text)-1]) {
		return "⁽" + superscript(m.Note) + "⁾"
	}
	return superscript(m.Note)
}

// superscript writes a number in superscript digits.
func superscript(n int) string {
	var b strings.Builder
	for _, r := range strconv.Itoa(max(n, 0)) {
		b.WriteString([]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}[r-'0'])
	}
	return b.String()
}
