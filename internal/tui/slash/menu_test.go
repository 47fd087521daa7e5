package slash_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

func menuOf(title string, width, height int, rows ...slash.Row) *slash.Menu {
	m := slash.NewMenu(plain(), title)
	m.SetSize(width, height)
	m.Offer(rows)
	return m
}

func TestMenu_WhatHasNoWordsBesideItTakesTheWholeWidth(t *testing.T) {
	long := "statements/2026/a folder with a name/of some length.csv"
	m := menuOf("files", 64, 12, slash.Row{Label: long}, slash.Row{Label: "notes\x1b[2J.txt"})
	want := `┌─ files ──────────────────────────────────────────────────────┐
│›statements/2026/a folder with a name/of some length.csv      │
│ notes.txt                                                    │
└──────────────────────────────────────────────────────────────┘`
	if diff := cmp.Diff(want, strings.Join(m.View(), "\n")); diff != "" {
		t.Errorf("menu (-want +got):\n%s", diff)
	}
}

func TestMenu_KindsStandAtTheRightEdge(t *testing.T) {
	m := menuOf("", 60, 12, slash.Row{Label: "VTI", About: "Vanguard Total", Kind: "held"}, slash.Row{Label: "EURUSD=X", Kind: "currency"})
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
	m.Offer([]slash.Row{{Label: "a"}, {Label: "b"}, {Label: "c"}})
	for step, want := range map[int]int{-1: 2, -4: 2, 5: 2, 3: 0} {
		m.Offer(make([]slash.Row, 3))
		if m.Choose(step); m.Chosen() != want || m.Len() != 3 {
			t.Errorf("Choose(%d) stands at %d of %d, want %d", step, m.Chosen(), m.Len(), want)
		}
	}
}

// Whatever is offered, nothing panics, and every line is as wide as the menu.
func FuzzMenu(f *testing.F) {
	f.Add("a title", "a.txt", "about\x1b[2J", "equity", uint8(60), uint8(12))
	f.Add("中文", "🏳️‍🌈\u202e", "", "中文中文中文中文中文中文", uint8(50), uint8(3))
	f.Fuzz(func(t *testing.T, title, label, about, kind string, width, height uint8) {
		m := menuOf(title, int(width), int(height), slash.Row{Label: label, About: about, Kind: kind}, slash.Row{Label: about, Kind: kind})
		m.Choose(-1)
		for _, line := range m.View() {
			if ansi.StringWidth(line) != int(width) || strings.ContainsAny(line, "\x1b\n\a\u202e") {
				t.Fatalf("line %q is %d wide in %d columns", line, ansi.StringWidth(line), width)
			}
		}
	})
}

func TestMenu_ARowIsShownFromWhereItsWordsStandAndMarksThem(t *testing.T) {
	st := draw.NewStyles(markdown.Dark())
	m := slash.NewMenu(st, "")
	m.SetSize(40, 10)
	long := strings.Repeat("much before it, ", 10) + "the worst drawdown of all"
	m.Offer([]slash.Row{{Label: long, Found: []string{"drawdown"}}, {Label: long, Found: []string{"drawdown"}}, {Label: "short"}})
	view := m.View()
	for i, want := range []string{st.Accent.With(st.Found).Apply("drawdown"), st.Found.Apply("drawdown"), "short"} {
		if line := view[i+1]; !strings.Contains(line, want) || ansi.StringWidth(line) != 40 {
			t.Errorf("row %d = %q of %d columns, want %q in 40", i, line, ansi.StringWidth(line), want)
		}
	}
}
