package toolbox

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// table writes a Markdown table; a column whose name ends in ":" is aligned to
// the right.
func table(columns []string, rows [][]string) string {
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
			fmt.Fprintf(&b, " %s |", cell(text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cell keeps outside text from breaking a row.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// signed is a number of a change, with its sign: colour may be missing, and "−"
// is as wide as "+".
func signed(d decimal.Decimal, places int32) string {
	text := d.Abs().StringFixed(places)
	switch {
	case d.Round(places).IsZero():
		return text
	case d.IsNegative():
		return "−" + text
	}
	return "+" + text
}

// counted is a count with thousands separators.
func counted(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
