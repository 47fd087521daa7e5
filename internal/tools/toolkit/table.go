package toolkit

import (
	"fmt"
	"strings"
)

// MarkdownTable writes a Markdown table; a column whose name ends in ":" is aligned to
// the right.
func MarkdownTable(columns []string, rows [][]string) string {
	var b strings.Builder
	rule := make([]string, len(columns))
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i], rule[i] = strings.TrimSuffix(c, ":"), "---"
		if strings.HasSuffix(c, ":") {
			rule[i] = "---:"
		}
	}
	for _, row := range append([][]string{head, rule}, rows...) {
		b.WriteString("|")
		for _, text := range row {
			fmt.Fprintf(&b, " %s |", TableCell(text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TableCell is text on one line that cannot break out of a row of a table.
func TableCell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
