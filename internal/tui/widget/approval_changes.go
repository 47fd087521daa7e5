package widget

import (
	"strings"
)

// changeLines draws how a file would differ: each line whole, behind its sign, which
// tells without colour what comes and what goes. What is no line of the file begins
// where the signs are, so that no line of the file can pass for it.
func changeLines(st *Styles, lines []string, width int) []string {
	var rows []string
	for _, line := range lines {
		if line == "" || !strings.ContainsRune("+- ", rune(line[0])) {
			for _, row := range WrapText(EscapeInvisible(line), width) {
				rows = append(rows, st.Dim.Apply(row))
			}
			continue
		}
		// A tab is seen as the room it takes, as in the file.
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
