package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// runeOf returns a random rune of any script or category, including controls and characters that join
// clusters.
func runeOf(r *rand.Rand, tables []*unicode.RangeTable) rune {
	table := tables[r.IntN(len(tables))]
	if n := len(table.R32); n > 0 && (len(table.R16) == 0 || r.IntN(2) == 0) {
		span := table.R32[r.IntN(n)]
		return rune(span.Lo + span.Stride*uint32(r.IntN(int((span.Hi-span.Lo)/span.Stride)+1)))
	}
	span := table.R16[r.IntN(len(table.R16))]
	return rune(span.Lo + span.Stride*uint16(r.IntN(int((span.Hi-span.Lo)/span.Stride)+1)))
}

// tablesOfUnicode returns tables of scripts, controls and characters that join clusters, in a fixed order.
func tablesOfUnicode() []*unicode.RangeTable {
	tables := []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.M, unicode.So, unicode.Variation_Selector, unicode.Regional_Indicator, unicode.White_Space}
	for _, name := range []string{"Latin", "Han", "Hiragana", "Hangul", "Arabic", "Hebrew", "Devanagari", "Tamil", "Thai", "Khmer", "Tibetan", "Mongolian", "Ethiopic", "Egyptian_Hieroglyphs"} {
		tables = append(tables, unicode.Scripts[name])
	}
	return tables
}

func TestRender_TextOfAnyScriptFitsAnyWidth(t *testing.T) {
	r, tables := rand.New(rand.NewPCG(16, 17)), tablesOfUnicode()
	leads := []string{"", "# ", "- ", "1. ", "> ", "    ", "```go\n", "|a|b|c|\n|-|-|-|\n|", "[x](https://", "**", "<https://e.example/"}
	for width := 1; width <= 200; width++ {
		for range 12 {
			src := leads[r.IntN(len(leads))]
			for range r.IntN(120) {
				src += string(runeOf(r, tables)) + []string{"", "", " ", "|", "\n", "\u200d"}[r.IntN(6)]
			}
			o := options(r)
			o.Width = width
			checkLines(t, src, o, markdown.Render(src, o))
		}
	}
}

// At a width of one cell, a character of two cells becomes an ellipsis; nothing else is lost.
func TestRender_OneCellIsEnoughForALine(t *testing.T) {
	got := strings.Join(markdown.Render("a中b ☝️c\n\n```\nd中\n```", markdown.Options{Width: 1}), "")
	if want := "a…b…cd…"; got != want {
		t.Errorf("Render at width 1 = %q, want %q", got, want)
	}
	if got := markdown.Render("中 ☝️", markdown.Options{Width: 2}); len(got) != 2 || ansi.StringWidth(got[1]) != 2 {
		t.Errorf("Render at width 2 = %q, want both whole", got)
	}
}
