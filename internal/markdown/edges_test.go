package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// A redefined label would lead the reader to another page than the author meant.
func TestStream_TheFirstDefinitionOfALabelCounts(t *testing.T) {
	pieces := []string{"[Bank]: https://bank.example/\n\nabove [a][bank]\n\n", "[bank]: https://evil.example/\n\nbelow [b][BANK]\n\n", "[c][bank]"}
	o := markdown.Options{Width: 60}
	s := markdown.NewStream(o)
	for _, piece := range pieces {
		s.Write(piece)
		s.Lines()
	}
	want := []string{"above a (https://bank.example/)", "", "below b (https://bank.example/)", "", "c (https://bank.example/)"}
	if diff := cmp.Diff(want, s.Lines()); diff != "" {
		t.Errorf("Lines() in pieces (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, markdown.Render(strings.Join(pieces, ""), o)); diff != "" {
		t.Errorf("Render (-want +got):\n%s", diff)
	}
}

func TestStream_EqualOptionsDrawNothingAgain(t *testing.T) {
	o := markdown.Options{Width: 60, Theme: markdown.DarkTheme()}
	s := markdown.NewStream(o)
	s.Write(answer(300))
	before := s.Lines()
	s.SetOptions(o)
	after := s.Lines()
	if len(before) == 0 || len(after) != len(before) || unsafe.SliceData(before) != unsafe.SliceData(after) {
		t.Error("SetOptions with what is set already drew everything again")
	}
	o.Width = 61
	s.SetOptions(o)
	if diff := cmp.Diff(markdown.Render(answer(300), o), s.Lines()); diff != "" {
		t.Errorf("Lines() with another width (-Render +Lines):\n%s", diff)
	}
}

// A reference that encodes no character is text.
func TestRender_EntitiesThatAreNone(t *testing.T) {
	for src, want := range map[string]string{
		"a &#xZZ; b": "a &#xZZ; b", "a &#x; b": "a &#x; b", "a &#; b": "a &#; b", "a &; b": "a &; b", "a & b;": "a & b;", "a &amp": "a &amp",
		"a &#12345678; b": "a &#12345678; b", "a &#x1F600; b": "a 😀 b", "a &#X41;&#66; b": "a AB b", "a &#xD800; b": "a \ufffd b", "a &lt;b&gt;": "a <b>",
		"a &" + strings.Repeat("x", 40) + ";": "a &" + strings.Repeat("x", 40) + ";", "a&#10;b": "a b", "a&#9;b": "a b", "a &#127;&#155;b": "a b",
		`a \&amp; b`: "a &amp; b", "`&amp;`": "`&amp;`",
	} {
		if got := strings.Join(markdown.Render(src, markdown.Options{Width: 60}), "\n"); got != want {
			t.Errorf("Render(%q) = %q, want %q", src, got, want)
		}
	}
}

// A letter of another script in an email address can look like a Latin one.
func TestRender_AnAddressOfMailIsClickableInASCIIAlone(t *testing.T) {
	for src, want := range map[string][]string{
		"[x](mailto:me@apple.com)":                  {"mailto:me@apple.com"},
		"[x](MAILTO:me@apple.com?subject=a%20b)":    {"mailto:me@apple.com?subject=a%20b"},
		"[x](mailto:me@\u0430pple.com)":             nil,
		"[x](mailto:m\u0435@apple.com)":             nil,
		"[x](tel:112)":                              nil,
		"[x](http://)":                              nil,
		"[x](https://:443/)":                        nil,
		"[x](https://e.example/" + long(2030) + ")": {"https://e.example/" + long(2030)},
		"[x](https://e.example/" + long(2031) + ")": nil,
	} {
		if got := targets(strings.Join(markdown.Render(src, markdown.Options{Width: 120, Hyperlinks: true}), "")); !slices.Equal(got, want) {
			t.Errorf("Render(%.60q) leads to %.60q, want %.60q", src, got, want)
		}
	}
}

func long(n int) string { return strings.Repeat("a", n) }

// Numbers are not broken, so a table may have no window at all.
func TestRender_ATableOfOneColumnThatIsTooWideIsLabeled(t *testing.T) {
	digits := strings.Repeat("1234567890", 6)
	o := markdown.Options{Width: 50, ScrollTables: true}
	lines := markdown.Render("n|\n-|\n"+digits+"|\n", o)
	if got := strings.Join(lines, ""); !strings.HasPrefix(got, "n:") || strings.Count(got, "1") != 6 {
		t.Errorf("a number of 60 digits in 50 cells = %q, want it labeled and whole", lines)
	}
	if got := markdown.TableScroll("n|\n-|\n"+digits+"|\n", o); got != 0 {
		t.Errorf("TableScroll = %d, want nothing to move", got)
	}
	for _, line := range markdown.Render("n|m\n-|-\n"+digits[:50]+"|1\n", o) {
		if strings.Contains(line, "─") {
			t.Errorf("a number as wide as the screen next to another = %q, want labeled lines", line)
		}
	}
}

// Cells that one column does not need go to columns that wrap, until all are used.
func TestRender_AWrappedTableUsesItsWidth(t *testing.T) {
	words := strings.Repeat("word ", 40)
	for width := 44; width < 120; width++ {
		src := fmt.Sprintf("a|b|c\n-|-|-\n%s|%s|short\n", words, words[:100])
		widest := 0
		for _, line := range markdown.Render(src, markdown.Options{Width: width}) {
			widest = max(widest, len([]rune(line)))
		}
		if widest != width {
			t.Errorf("at width %d the widest line, the rule, has %d cells", width, widest)
		}
	}
}
