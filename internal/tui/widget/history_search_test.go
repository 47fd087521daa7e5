package widget_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func openHistorySearch(messages ...string) *widget.HistorySearch {
	s := widget.OpenHistorySearch(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), messages)
	s.SetSize(60, 8)
	return s
}

func pasteInSearch(s *widget.HistorySearch, text string) {
	s.Write(tea.PasteMsg{Content: text})
}

func joinLines(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestSearch_TheNewestThatHoldsAllWordsIsChosenFirst(t *testing.T) {
	s := openHistorySearch("price of VTI", "compare VTI and BND", "price of BND")
	if text, ok := s.Chosen(); text != "price of BND" || !ok {
		t.Errorf("without words %q, %t is chosen", text, ok)
	}
	pasteInSearch(s, "vti")
	if text, _ := s.Chosen(); text != "compare VTI and BND" || s.Menu.Len() != 2 {
		t.Errorf("of %d, %q is chosen", s.Menu.Len(), text)
	}
}

func TestSearch_NothingFoundIsSaidWithTheWayBack(t *testing.T) {
	s := openHistorySearch("price of VTI")
	pasteInSearch(s, "gold")
	if text, ok := s.Chosen(); ok {
		t.Errorf("%q is chosen", text)
	}
	if v := joinLines(s.Line.View()); !strings.Contains(v, "search: gold  no matches · Esc close") {
		t.Errorf("drawn %q", v)
	}
	s.SetMessages([]string{"the price of gold"})
	if text, ok := s.Chosen(); text != "the price of gold" || !ok || strings.Contains(joinLines(s.Line.View()), "nothing") {
		t.Errorf("a later message is not found: %q, %t", text, ok)
	}
}

func TestSearch_PastedLinesAreWords(t *testing.T) {
	s := openHistorySearch("price of VTI")
	pasteInSearch(s, "vti\nprice\n")
	if text, ok := s.Chosen(); s.Line.Value() != "vti price" || text != "price of VTI" || !ok {
		t.Errorf("the words are %q, found %q", s.Line.Value(), text)
	}
}

func TestSearch_ALongMessageIsShownFromWhereTheWordsStand(t *testing.T) {
	s := openHistorySearch(strings.Repeat("many words ", 500) + "and a zebra")
	if v := joinLines(s.Menu.View()); strings.Contains(v, "zebra") {
		t.Errorf("without words drawn:\n%s", v)
	}
	pasteInSearch(s, "zebra")
	if v := joinLines(s.Menu.View()); !strings.Contains(v, "zebra") {
		t.Errorf("the word is out of sight:\n%s", v)
	}
}
