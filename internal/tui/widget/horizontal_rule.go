package widget

import (
	"strings"
)

// HorizontalRule draws a line across, with a label near its end if it fits.
func HorizontalRule(st *Styles, width int, label string) string {
	if label == "" || width < len(label)+6 {
		return st.Dim.Apply(strings.Repeat("─", width))
	}
	tail := " ──"
	line := strings.Repeat("─", width-len([]rune(label))-len([]rune(tail))-1) + " "
	return st.Dim.Apply(line) + st.Accent.Apply(label) + st.Dim.Apply(tail)
}
