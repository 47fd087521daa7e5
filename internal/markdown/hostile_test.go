package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// A host may contain percent-encoded characters, which no sanitizer of text sees.
func TestRender_AHostBringsInNoControl(t *testing.T) {
	for _, host := range []string{"%C2%9B31m", "%E2%80%AEmoc.elpmaxe", "u@%C2%9Ba", "a@b%E2%80%AE.c:80", "%F3%A0%81%81x", "[fe80::1%25%C2%9B]"} {
		for _, src := range []string{"![](http://" + host + "/)", "[](http://" + host + "/)", "[x](http://" + host + "/)", "<http://" + host + "/>", "http://" + host + "/"} {
			for _, o := range []markdown.Options{{Width: 80}, {Width: 80, Hyperlinks: true}} {
				lines := markdown.Render(src, o)
				checkLines(t, src, o, lines)
				if all := strings.Join(lines, "\n"); strings.ContainsAny(all, "\u009b\u202e\U000e0041") {
					t.Errorf("Render(%q) = %q, which a terminal obeys", src, all)
				}
			}
		}
	}
	if got := markdown.Render("![](https://user@example.com:8080/a.png)", markdown.Options{Width: 80}); got[0] != "example.com" {
		t.Errorf("an image without words is %q, want its host", got)
	}
}

// Every row has all columns of its table, so short rows below a long header would become a page of millions
// of cells.
func TestRender_ATableHasNoMoreColumnsThanAnyoneReads(t *testing.T) {
	table := func(columns int) string {
		return strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n|x|\n"
	}
	if got := markdown.Render(table(64), markdown.Options{Width: 80}); len(got) != 1 || got[0] != "a: x" {
		t.Errorf("a table of 64 columns is %q, want its row, labeled", got)
	}
	wide := strings.Join(markdown.Render(table(65), markdown.Options{Width: 80}), " ")
	if !strings.Contains(wide, "|-|-|") || !strings.Contains(wide, "|x|") {
		t.Errorf("a table of 65 columns is %q, want it as text", wide)
	}
	r := rand.New(rand.NewPCG(31, 1))
	equalAtEveryCut(t, r, table(65)+strings.Repeat("|x|\n", 30)+"\nafter\n", markdown.Options{Width: 60})
}

// Each unclosed target is read up to the end of its block. In a block with many of them, the later ones are
// not read; the next block is read as usual.
func TestRender_TargetsThatNeverEndAreReadForSoLong(t *testing.T) {
	o := markdown.Options{Width: 80}
	link := "[label](https://example.com/a)"
	some := strings.Repeat("[](", 40) + " " + link
	if got := strings.Join(markdown.Render(some, o), ""); !strings.HasSuffix(got, "label (https://example.com/a)") {
		t.Errorf("a link after 40 open targets is %q, want a link", got[max(len(got)-60, 0):])
	}
	// 20,000 targets in 60,000 bytes: reading all of them would take 600 million steps.
	full := strings.Repeat("[](", 20_000) + " " + link + "\n\n" + link
	lines := markdown.Render(full, o)
	if got := lines[len(lines)-1]; got != "label (https://example.com/a)" {
		t.Errorf("the block after is %q, want a link", got)
	}
	if !strings.Contains(strings.Join(lines, ""), link) {
		t.Error("a block of 20,000 open targets is read to its end, want what is too much as text")
	}
}

// The second line of a streamed table may still become something else.
func TestStream_ALongHeadIsATableOnlyOnceItsRuleIsComplete(t *testing.T) {
	o := markdown.Options{Width: 80}
	head := "|" + strings.Repeat("a", 1600) + "|b|\n|-|-|"
	for _, rest := range []string{"\n|1|2|\n", "x\n", "-|\n|1|2|3|\n", "\n\nafter\n"} {
		s := markdown.NewStream(o)
		s.Write(head)
		s.Lines()
		s.Write(rest)
		if diff := cmp.Diff(markdown.Render(head+rest, o), s.Lines()); diff != "" {
			t.Errorf("the head, then %q (-Render +Lines):\n%s", rest, diff)
		}
	}
}
