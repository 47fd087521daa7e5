package trace

import (
	"strconv"
	"strings"
)

// Annotate writes a mark after every figure of a text that the report is on. A
// mark that would come to stand in a code span follows it. A report that does not
// belong to the text leaves it as it is.
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

// The marks of figures that are not traced; the lines below an answer explain
// them.
const (
	UntracedMark     = "[?]"
	ContradictedMark = "[≠]"
)

// Superscript marks a figure for reading: ¹ for a traced one. After a bare digit,
// where it would look like a power, the index stands in brackets: ⁽¹⁾.
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

// superscript is a number in superscript digits.
func superscript(n int) string {
	var b strings.Builder
	for _, r := range strconv.Itoa(max(n, 0)) {
		b.WriteString([]string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}[r-'0'])
	}
	return b.String()
}
