package widget_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func menuOf(title string, width, height int, rows ...widget.MenuRow) *widget.Menu {
	m := widget.NewMenu(menuStyles(), title)
	m.SetSize(width, height)
	m.SetRows(rows)
	return m
}

func TestMenu_LabelsWithoutDescriptionGetTheWidth(t *testing.T) {
	long := "statements/2026/a folder with a name/of some length.csv"
	m := menuOf("files", 64, 12, widget.MenuRow{Label: long}, widget.MenuRow{Label: "notes\x1b[2J.txt"})
	want := `┌─ files ──────────────────────────────────────────────────────┐
│›statements/2026/a folder with a name/of some length.csv      │
│ notes.txt                                                    │
└──────────────────────────────────────────────────────────────┘`
	if diff := cmp.Diff(want, strings.Join(m.View(), "\n")); diff != "" {
		t.Errorf("menu (-want +got):\n%s", diff)
	}
}

func TestMenu_KindsAreAtTheRightEdge(t *testing.T) {
	m := menuOf("", 60, 12, widget.MenuRow{Label: "VTI", About: "Vanguard Total", Kind: "held"}, widget.MenuRow{Label: "EURUSD=X", Kind: "currency"})
	want := `┌──────────────────────────────────────────────────────────┐
│›VTI       Vanguard Total                        held     │
│ EURUSD=X                                        currency │
└──────────────────────────────────────────────────────────┘`
	if diff := cmp.Diff(want, strings.Join(m.View(), "\n")); diff != "" {
		t.Errorf("menu (-want +got):\n%s", diff)
	}
}

func TestMenu_ChoosesAroundAndNothingOfNothing(t *testing.T) {
	m := menuOf("", 60, 12)
	m.Choose(+1)
	if m.Open() || m.Height() != 0 || m.Chosen() != 0 {
		t.Errorf("an empty menu is open: %t, %d rows, %d chosen", m.Open(), m.Height(), m.Chosen())
	}
	m.SetRows([]widget.MenuRow{{Label: "a"}, {Label: "b"}, {Label: "c"}})
	for step, want := range map[int]int{-1: 2, -4: 2, 5: 2, 3: 0} {
		m.SetRows(make([]widget.MenuRow, 3))
		if m.Choose(step); m.Chosen() != want || m.Len() != 3 {
			t.Errorf("Choose(%d) is at %d of %d, want %d", step, m.Chosen(), m.Len(), want)
		}
	}
}

// For any rows, nothing panics, and every line is as wide as the menu.
func FuzzMenu(f *testing.F) {
	f.Add("a title", "a.txt", "about\x1b[2J", "equity", uint8(60), uint8(12))
	f.Add("中文", "🏳️‍🌈\u202e", "", "中文中文中文中文中文中文", uint8(50), uint8(3))
	f.Fuzz(func(t *testing.T, title, label, about, kind string, width, height uint8) {
		m := menuOf(title, int(width), int(height), widget.MenuRow{Label: label, About: about, Kind: kind}, widget.MenuRow{Label: about, Kind: kind})
		m.Choose(-1)
		for _, line := range m.View() {
			if ansi.StringWidth(line) != int(width) || strings.ContainsAny(line, "\x1b\n\a\u202e") {
				t.Fatalf("line %q is %d wide in %d columns", line, ansi.StringWidth(line), width)
			}
		}
	})
}

func TestMenu_ARowIsClippedAroundItsHighlightedMatch(t *testing.T) {
	st := widget.NewStyles(markdown.DarkTheme())
	m := widget.NewMenu(st, "")
	m.SetSize(40, 10)
	long := strings.Repeat("much before it, ", 10) + "the worst drawdown of all"
	m.SetRows([]widget.MenuRow{{Label: long, MatchWords: []string{"drawdown"}}, {Label: long, MatchWords: []string{"drawdown"}}, {Label: "short"}})
	view := m.View()
	for i, want := range []string{st.Accent.With(st.Match).Apply("drawdown"), st.Match.Apply("drawdown"), "short"} {
		if line := view[i+1]; !strings.Contains(line, want) || ansi.StringWidth(line) != 40 {
			t.Errorf("row %d = %q of %d columns, want %q in 40", i, line, ansi.StringWidth(line), want)
		}
	}
}
