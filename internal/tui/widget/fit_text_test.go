package widget_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestFit_CutsWithAnEllipsisAndKeepsStyles(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		width      int
		want       string
	}{
		{"fits", "three", 5, "three"},
		{"too long", "longer", 5, "long…"},
		{"wide characters", "中文中", 5, "中文…"},
		{"styled, fits", "\x1b[1mbold\x1b[m", 4, "\x1b[1mbold\x1b[m"},
		{"styled, too long", "\x1b[1mbolder\x1b[m", 4, "\x1b[1mbol…\x1b[m"},
		{"a letter that a selector widens", "  \ufe0fabc", 4, "  \ufe0f…"},
		{"no room", "a", 0, ""},
	} {
		if got := widget.FitLine(tt.line, tt.width); got != tt.want {
			t.Errorf("%s: Fit(%q, %d) = %q, want %q", tt.name, tt.line, tt.width, got, tt.want)
		}
	}
}

func TestJustifyLine_CutsTheLeftThenTheRight(t *testing.T) {
	for _, tt := range []struct {
		name, left, right string
		width             int
		want              string
	}{
		{"both fit", "left", "right", 16, "left       right"},
		{"left is cut", "a long left side", "right", 16, "a long l…  right"},
		{"right goes", "a long left", "right side", 14, "a long left"},
		{"nothing right", "left", "", 10, "left"},
		{"wide characters", "中文", "右", 16, "中文          右"},
		{"no room", "left", "right", 0, ""},
	} {
		if got := widget.JustifyLine(tt.left, tt.right, tt.width); got != tt.want {
			t.Errorf("%s: Spread(%q, %q, %d) = %q, want %q", tt.name, tt.left, tt.right, tt.width, got, tt.want)
		}
	}
}

func TestWrap_KeepsLinesAndNeverExceedsTheWidth(t *testing.T) {
	got := widget.WrapText("one two three\n\tfour\n中文中文", 7)
	want := []string{"one two", "three", "", "four", "中文中", "文"} // a tab is four columns
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Wrap (-want +got):\n%s", diff)
	}
	for _, row := range widget.WrapText("👩‍👩‍👧 中", 1) {
		if ansi.StringWidth(row) > 1 {
			t.Errorf("row %q is wider than one column", row)
		}
	}
}

func TestWrap_CutsNoWordThatFitsIntoALine(t *testing.T) {
	for text, want := range map[string][]string{
		"recovered on 2012-09-13.":   {"recovered on", "2012-09-13."},
		"it lost a lot, -53.3% of":   {"it lost a lot,", "-53.3% of"},
		"to reports/a-b-c.md at":     {"to", "reports/a-b-c.md", "at"},
		"a-very-long-name-of-a-file": {"a-very-long-name", "-of-a-file"},
	} {
		if diff := cmp.Diff(want, widget.WrapText(text, 16)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestDuration_ReadsAsPeopleSay(t *testing.T) {
	for d, want := range map[time.Duration]string{
		900 * time.Microsecond: "0 ms", 12 * time.Millisecond: "12 ms", 3400 * time.Millisecond: "3.4 s",
		5 * time.Second: "5 s", 125 * time.Second: "2 min 5 s",
	} {
		if got := widget.FormatDuration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestOneLine_KeepsOnlyWords(t *testing.T) {
	if got, want := widget.OneLine("  two\r\n\twords\x1b[2J\u202e "), "two words"; got != want {
		t.Errorf("OneLine = %q, want %q", got, want)
	}
}

func TestEscapeInvisible_HidesNothingAndKeepsQuotes(t *testing.T) {
	got := markdown.EscapeInvisible("\"a\"\n\u202e\x1b[2J\u200b")
	if want := `"a"\n\u202e\x1b[2J\u200b`; got != want {
		t.Errorf("Visible = %s, want %s", got, want)
	}
}

// Outside text must not control the terminal, hide, or exceed its width.
func FuzzLine(f *testing.F) {
	f.Add("plain words", 5)
	f.Add("中文\u200d\x1b]0;t\a\u202e", 3)
	f.Add("a\nb\tc", 1)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width %= 200
		for _, row := range widget.WrapText(widget.OneLine(s), width) {
			if ansi.StringWidth(row) > max(width, 1) {
				t.Fatalf("row %q of %q is wider than %d", row, s, width)
			}
		}
		if row := widget.FitLine(widget.OneLine(s), width); ansi.StringWidth(row) > max(width, 0) {
			t.Fatalf("%q of %q is wider than %d", row, s, width)
		}
		for _, r := range markdown.EscapeInvisible(s) {
			if !unicode.IsPrint(r) {
				t.Fatalf("Visible(%q) holds %U", s, r)
			}
		}
	})
}

func TestWrap_LosesNothingOfALongWordWithHyphens(t *testing.T) {
	text := "- " + strings.Repeat("x", 26) + "EDGAR/data-320193-with-more-of-it"
	for width := 4; width < 80; width++ {
		if got := strings.Join(widget.WrapText(text, width), ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("Wrap(%q, %d) has %q: something is lost", text, width, got)
		}
	}
}
