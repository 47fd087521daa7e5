package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/trace"
)

// rowRange is where a row stands in the Markdown of its tables.
type rowRange struct{ start, end int }

// firstNumber is the first of the numbers that stands in the row or after it.
func (s rowRange) firstNumber(numbers []trace.MatchedNumber) int {
	i, _ := slices.BinarySearchFunc(numbers, s.start, func(m trace.MatchedNumber, at int) int { return cmp.Compare(m.Start, at) })
	return i
}

// tablesToMarkdown writes tables as Markdown, and says where each row stands, by the
// numbers of table and row. What a cell holds beside plain text is of no account
// to its numbers.
func tablesToMarkdown(all []table) (string, map[[2]int]rowRange) {
	var b strings.Builder
	rows := map[[2]int]rowRange{}
	cell := strings.NewReplacer("|", "/", "\n", " ", "\r", " ")
	for i, s := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		for j, row := range s {
			start := b.Len()
			for _, text := range row {
				b.WriteString("| " + cell.Replace(text) + " ")
			}
			b.WriteString("|\n")
			rows[[2]int{i, j}] = rowRange{start, b.Len()}
			if j == 0 {
				b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
			}
		}
	}
	return b.String(), rows
}
