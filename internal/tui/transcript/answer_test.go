package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// TestAnswer_ALongBlockIsFormattedOnceFinished streams one paragraph of more than
// 16 KiB, whose newest text a stream may show unformatted for a while.
func TestAnswer_ALongBlockIsFormattedOnceFinished(t *testing.T) {
	st := widget.NewStyles(markdown.DarkTheme())
	b := &answer{}
	piece := "the index **rose** and `fell`, and the *worst* of it came "
	rough := false
	for range 400 {
		b.write(st, 80, piece)
		got := strings.Join(b.lines(st, 80), "\n")
		rough = rough || strings.Contains(got, "**")
	}
	if !rough {
		t.Fatal("nothing was unformatted on the way: the text does not try what this test is about")
	}
	b.write(st, 80, "to an **end**.")
	b.finish()
	if diff := cmp.Diff(markdown.Render(strings.Repeat(piece, 400)+"to an **end**.", st.Markdown(80)), b.lines(st, 80)); diff != "" {
		t.Errorf("finished answer (-want +got):\n%s", diff)
	}
}

func TestAnswer_KeepsItsLinesOnceFinished(t *testing.T) {
	st := widget.NewStyles(markdown.PlainTheme())
	b := &answer{}
	b.write(st, 40, "# Head\n\ntext")
	b.finish()
	first := b.lines(st, 40)
	if again := b.lines(st, 40); &first[0] != &again[0] {
		t.Error("a finished answer was drawn again for the same width")
	}
	if diff := cmp.Diff(markdown.Render("# Head\n\ntext", st.Markdown(7)), b.lines(st, 7)); diff != "" {
		t.Errorf("at another width (-want +got):\n%s", diff)
	}
}
