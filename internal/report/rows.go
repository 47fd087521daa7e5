package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/figures"
)

// span is where a row stands in the Markdown of its tables.
type span struct{ start, end int }

// from is the first of the numbers that stands in the row or after it.
func (s span) from(numbers []figures.Matched) int {
	i, _ := slices.BinarySearchFunc(numbers, s.start, func(m figures.Matched, at int) int { return cmp.Compare(m.Start, at) })
	return i
}

// asMarkdown writes tables as Markdown, and says where each row stands, by the
// numbers of table and row. What a cell holds beside plain text is of no account
// to its numbers.
func asMarkdown(all []sheet) (string, map[[2]int]span) {
	var b strings.Builder
	rows := map[[2]int]span{}
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
			rows[[2]int{i, j}] = span{start, b.Len()}
			if j == 0 {
				b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
			}
		}
	}
	return b.String(), rows
}
