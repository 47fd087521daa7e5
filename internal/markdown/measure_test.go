package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

func widest(lines []string) (width int) {
	for _, l := range lines {
		width = max(width, ansi.StringWidth(l))
	}
	return width
}

func TestRender_ProseKeepsItsMeasureAndTablesAndCodeDoNot(t *testing.T) {
	words := strings.Repeat("word ", 60)
	cells := strings.Repeat("| "+strings.Repeat("c", 16)+" ", 6) + "|\n"
	o := markdown.Options{Width: 150, Measure: 60}
	for name, c := range map[string]struct {
		text        string
		least, most int
	}{
		"paragraph": {words, 55, 60},
		"heading":   {"# " + words, 55, 60},
		"list":      {"- " + words + "\n  - " + words, 55, 60},
		"quote":     {"> " + words, 55, 60},
		"deep":      {strings.Repeat("> ", 40) + words, 61, 150},
		"table":     {cells + strings.Repeat("|---", 6) + "|\n" + cells, 100, 150},
		"code":      {"```\n" + words + "\n```", 140, 150},
	} {
		if got := widest(markdown.Render(c.text, o)); got < c.least || got > c.most {
			t.Errorf("%s is %d wide, want %d to %d", name, got, c.least, c.most)
		}
	}
	for _, narrow := range []int{1, 30, 59} {
		if got := widest(markdown.Render(words, markdown.Options{Width: narrow, Measure: 60})); got > narrow {
			t.Errorf("in %d columns a measure makes lines of %d", narrow, got)
		}
	}
}

func TestStream_KeepsTheMeasureOfRender(t *testing.T) {
	text := strings.Repeat("a long paragraph of words ", 400) + "\n\n- and a list"
	o := markdown.Options{Width: 150, Measure: 60}
	s := markdown.NewStream(o)
	for piece := range slices.Chunk([]byte(text), 50) {
		s.Write(string(piece))
		if got := widest(s.Lines()); got > 60 {
			t.Fatalf("a line of %d while it streams, want at most 60", got)
		}
	}
	s.Lines()
	if diff := cmp.Diff(markdown.Render(text, o), s.Lines()); diff != "" {
		t.Errorf("streamed and rendered differ (-render +stream):\n%s", diff)
	}
}
