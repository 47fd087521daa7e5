package present

import (
	"fmt"
	"strings"
)

// Table writes a Markdown table; a column whose name ends in ":" is aligned to
// the right.
func Table(columns []string, rows [][]string) string {
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
			fmt.Fprintf(&b, " %s |", Cell(text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Cell is text on one line that cannot break out of a row of a table.
func Cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
