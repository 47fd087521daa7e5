package widget

import (
	"strings"
)

// changeLines draws how a file would differ: each line whole, with a sign that marks additions and
// removals without color. Text that is no line of the file starts in the column of the signs, so
// that no line of the file can imitate it.
func changeLines(st *Styles, lines []string, width int) []string {
	var rows []string
	for _, line := range lines {
		if line == "" || !strings.ContainsRune("+- ", rune(line[0])) {
			for _, row := range WrapText(EscapeInvisible(line), width) {
				rows = append(rows, st.Dim.Apply(row))
			}
			continue
		}
		// A tab has the width that it has in the file.
		text := EscapeInvisible(strings.ReplaceAll(line[1:], "\t", "    "))
		mark := line[:1] + " "
		for _, row := range WrapText(text, max(width-len(mark), 1)) {
			rows = append(rows, colorChange(st, line[0], FitLine(mark+row, width)))
			mark = line[:1] + "↳"
		}
	}
	return rows
}

func colorChange(st *Styles, sign byte, row string) string {
	switch sign {
	case '+':
		return st.Good.Apply(row)
	case '-':
		return st.Bad.Apply(row)
	}
	return row
}
