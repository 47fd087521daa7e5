package widget_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// fakeLines is a text of lines. Initially the last line is visible.
type fakeLines struct {
	all      []string
	searches []string // the texts that were searched for
	found    []int    // the matching lines
	sight    int      // the index in found of the visible match
}

func (l *fakeLines) Find(words string) bool {
	l.searches, l.found = append(l.searches, words), nil
	for i, line := range l.all {
		if words != "" && strings.Contains(line, words) {
			l.found = append(l.found, i)
		}
	}
	l.sight = len(l.found) - 1
	return len(l.found) > 0
}

func (l *fakeLines) FindNext(step int) bool {
	to := l.sight + step
	if to < 0 || to >= len(l.found) {
		return false
	}
	l.sight = to
	return true
}

func (l *fakeLines) MatchPosition() (at, of int) { return l.sight + 1, len(l.found) }

func openFindBar(all ...string) (*widget.FindBar, *fakeLines) {
	in := &fakeLines{all: all}
	s := widget.OpenFindBar(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), in)
	s.Line.SetSize(60, 1)
	return s, in
}

func pressInFindBar(t *testing.T, s *widget.FindBar, name string) {
	t.Helper()
	if _, closed := s.Press(keyOf(name)); closed {
		t.Fatalf("%s closes the search", name)
	}
}

func findBarView(s *widget.FindBar) string {
	return strings.TrimRight(ansi.Strip(strings.Join(s.Line.View(), "\n")), " ")
}

func TestSearch_SaysHowManyHoldTheWordsAndWhichIsInSight(t *testing.T) {
	s, _ := openFindBar("a bond", "a share", "another bond")
	s.Write(tea.PasteMsg{Content: "bond"})
	if got := findBarView(s); got != "find: bond  2 of 2" {
		t.Errorf("drawn %q, want the last of both", got)
	}
	pressInFindBar(t, s, "enter")
	if got := findBarView(s); got != "find: bond  1 of 2" {
		t.Errorf("after Enter %q, want the one above", got)
	}
	pressInFindBar(t, s, "up")
	if got := findBarView(s); got != "find: bond  no more matches" {
		t.Errorf("above the first %q", got)
	}
	pressInFindBar(t, s, "down")
	if got := findBarView(s); got != "find: bond  2 of 2" {
		t.Errorf("down again %q", got)
	}
	s.Write(tea.PasteMsg{Content: "s of gold"})
	if got := findBarView(s); got != "find: bonds of gold  no matches" {
		t.Errorf("without a match %q", got)
	}
}

func TestSearch_WithoutWordsNothingIsLookedFor(t *testing.T) {
	s, in := openFindBar("a bond")
	pressInFindBar(t, s, "enter")
	pressInFindBar(t, s, "down")
	if got := findBarView(s); got != "find:" || len(in.searches) > 0 {
		t.Errorf("drawn %q, and looked for %q", got, in.searches)
	}
	s.Write(tea.PasteMsg{Content: "b"})
	s.Write(tea.KeyPressMsg{Code: tea.KeyBackspace})
	if got := findBarView(s); got != "find:" {
		t.Errorf("with the words taken away drawn %q", got)
	}
}

func TestSearch_EscEndsIt(t *testing.T) {
	s, in := openFindBar("a bond")
	s.Write(tea.PasteMsg{Content: "bond"})
	if _, closed := s.Press(keyOf("esc")); !closed {
		t.Error("Esc cancels the search open")
	}
	if want := []string{"bond", ""}; !slices.Equal(in.searches, want) {
		t.Errorf("searched for %q, want %q", in.searches, want)
	}
}
