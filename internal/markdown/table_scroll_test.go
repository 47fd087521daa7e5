package markdown_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// years returns a table with a name column and n columns of numbers of 12 cells.
func years(n int) string {
	var head, rule, row strings.Builder
	for i := range n {
		fmt.Fprintf(&head, "|%d", 2001+i)
		rule.WriteString("|-")
		fmt.Fprintf(&row, "|1,234,567.%02d", i)
	}
	return "|Symbol" + head.String() + "\n|-" + rule.String() + "\n|VTI" + row.String() + "\n"
}

func TestRender_AWindowMovesOverTheColumns(t *testing.T) {
	tests := []struct {
		name   string
		offset int
		want   []string
	}{
		{"begins at the left", 0, []string{
			"← → 3 more columns",
			"Symbol          2001          2002          2003",
			"──────  ────────────  ────────────  ────────────",
			"VTI     1,234,567.00  1,234,567.01  1,234,567.02",
		}},
		{"has left a column out on the left", 1, []string{
			"← → 3 more columns",
			"Symbol          2002          2003          2004",
			"──────  ────────────  ────────────  ────────────",
			"VTI     1,234,567.01  1,234,567.02  1,234,567.03",
		}},
		{"stops when the last column is seen", 99, []string{
			"← → 3 more columns",
			"Symbol          2004          2005          2006",
			"──────  ────────────  ────────────  ────────────",
			"VTI     1,234,567.03  1,234,567.04  1,234,567.05",
		}},
		{"does not go before the first", -4, []string{
			"← → 3 more columns",
			"Symbol          2001          2002          2003",
			"──────  ────────────  ────────────  ────────────",
			"VTI     1,234,567.00  1,234,567.01  1,234,567.02",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := markdown.Render(years(6), markdown.Options{Width: 50, ScrollTables: true, TableOffset: tt.offset})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Render at offset %d (-want +got):\n%s", tt.offset, diff)
			}
		})
	}
}

func TestTableScroll_IsTheLastOffsetThatMovesAnything(t *testing.T) {
	tests := []struct {
		name string
		src  string
		o    markdown.Options
		want int
	}{
		{"three of six are seen", years(6), markdown.Options{Width: 50, ScrollTables: true}, 3},
		{"the widest table counts", years(6) + "\n" + years(9) + "\n" + years(2), markdown.Options{Width: 50, ScrollTables: true}, 6},
		{"all fit", years(6), markdown.Options{Width: 120, ScrollTables: true}, 0},
		{"narrow screens have no window", years(6), markdown.Options{Width: 43, ScrollTables: true}, 0},
		{"not asked for", years(6), markdown.Options{Width: 50}, 0},
		{"no table", "words", markdown.Options{Width: 50, ScrollTables: true}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := markdown.TableScroll(tt.src, tt.o)
			if got != tt.want {
				t.Fatalf("TableScroll = %d, want %d", got, tt.want)
			}
			var frames []string
			for offset := range got + 2 {
				tt.o.TableOffset = offset
				frames = append(frames, strings.Join(markdown.Render(tt.src, tt.o), "\n"))
			}
			if compact := slices.Compact(slices.Clone(frames)); len(compact) != got+1 {
				t.Errorf("offsets 0 to %d give %d frames, want %d", got+1, len(compact), got+1)
			}
		})
	}
}

func TestRender_ANumberTooWideForAWindowIsLabeled(t *testing.T) {
	wide := "|Name|Exact|\n|-|-|\n|a long name here|" + strings.Repeat("123,", 12) + "123.00|\n"
	got := markdown.Render(wide, markdown.Options{Width: 61, ScrollTables: true})
	want := []string{"Name: a long name here", "  Exact:", "  " + strings.Repeat("123,", 12) + "123.00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Render (-want +got):\n%s", diff)
	}
}

func TestRender_AHeadingWrapsBeforeItsNumbersAreLabeled(t *testing.T) {
	src := "|Fund|Total return since inception|Volatility of the last year|Greatest fall|\n|-|-|-|-|\n|VTI|98.6%|21.2%|−53.3%|\n"
	want := []string{
		"Fund  Total return   Volatility     Greatest",
		"             since  of the last         fall",
		"         inception         year",
		"────  ────────────  ───────────  ───────────",
		"VTI          98.6%        21.2%       −53.3%",
	}
	if diff := cmp.Diff(want, markdown.Render(src, markdown.Options{Width: 44})); diff != "" {
		t.Errorf("Render at 44 (-want +got):\n%s", diff)
	}
}

// At any width and next to any text, a number is drawn in one piece
// wherever its column is drawn.
func TestRender_NumbersAreNeverBroken(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	numbers := []string{"1,234,567.89", "$ 1 234 567.89", "−12.5%", "308.80 GBp", "(1,200)", "7", "¥174,144,000,000"}
	for range 200 {
		columns := 1 + r.IntN(7)
		var cells []string
		src := "|Name" + strings.Repeat("|A heading of words", columns) + "|\n" + strings.Repeat("|-", columns+1) + "|\n"
		for range 3 {
			src += "|" + strings.Repeat("word ", r.IntN(5))
			for range columns {
				cell := numbers[r.IntN(len(numbers))]
				if r.IntN(4) == 0 {
					src += "|some more words"
					continue
				}
				cells = append(cells, cell)
				src += "|" + cell
			}
			src += "|\n"
		}
		o := markdown.Options{Width: 44 + r.IntN(120), ScrollTables: true}
		seen := ""
		for o.TableOffset = 0; o.TableOffset <= markdown.TableScroll(src, o); o.TableOffset++ {
			lines := markdown.Render(src, o)
			checkLines(t, src, o, lines)
			seen += strings.Join(lines, "\n")
		}
		for _, cell := range cells {
			if !strings.Contains(seen, cell) {
				t.Fatalf("Render(%q) at %d draws %q in no window in one piece:\n%s", src, o.Width, cell, seen)
			}
		}
	}
}

func TestStream_AWindowGoesOnAsRowsArrive(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	src := years(7)
	for i := range 60 {
		src += fmt.Sprintf("|S%d|%d|$%d|x|%s|1|2|3|\n", i, i, r.IntN(100), strings.Repeat("w", i/3))
	}
	for _, offset := range []int{0, 2, 9} {
		equalAtEveryCut(t, r, src, markdown.Options{Width: 60, ScrollTables: true, TableOffset: offset})
	}
}

// Columns stay aligned for any content: below each other in
// every row, as the terminal counts clusters.
func TestRender_ColumnsStayBelowEachOther(t *testing.T) {
	marks := []string{"中文", "🏳️‍🌈", "☝️", "⏺️", "👨‍👩‍👧‍👦", "🇨🇭", "é", "e\u0301", "한국어", "ไทย", "हिन्दी", "ﷺ", "½", "①", "✓", "⚠️", "1️⃣", "👍🏽"}
	src := "mark|at\n:-|:-\n"
	for _, mark := range marks {
		src += mark + "|#\n"
	}
	lines := markdown.Render(src, markdown.Options{Width: 60})
	for i, line := range lines[2:] {
		before, _, _ := strings.Cut(line, "#")
		if got, want := ansi.StringWidth(before), strings.Index(lines[0], "at"); got != want {
			t.Errorf("row of %q has its second column at cell %d, want %d: %q", marks[i], got, want, line)
		}
	}
}
