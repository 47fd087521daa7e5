package widget_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Descriptions stay near their names on a wide screen.
func TestMenu_OnAWideScreenDescriptionsStayNearNames(t *testing.T) {
	m := menuOf("", 200, 12, widget.MenuRow{Label: "VTI", About: "Vanguard Total", Kind: "held"}, widget.MenuRow{Label: "GLD", Kind: "held"})
	for _, row := range m.View()[1:3] {
		end := ansi.StringWidth(strings.TrimRight(row[:strings.LastIndex(row, "│")], " "))
		if end > widget.ProseWidth+2 || ansi.StringWidth(row) != 200 {
			t.Errorf("the kind ends at column %d of %d, want at most %d of 200: %q", end, ansi.StringWidth(row), widget.ProseWidth+2, row)
		}
	}
	long := strings.Repeat("folder/", 20) + "a.csv"
	if m.SetRows([]widget.MenuRow{{Label: long}}); !strings.Contains(m.View()[1], long) {
		t.Errorf("a path without a description is cut: %q", m.View()[1])
	}
}
