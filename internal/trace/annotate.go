package trace

import "strings"

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
